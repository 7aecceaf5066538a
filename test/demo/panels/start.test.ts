import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import { expect, it } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { openDemo } from '../demo-page.ts'

it('works unbundled, as npm start serves it', async () => {
  // Another server of the demo may be using the default cache folder.
  const cacheDir = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  const server = await createServer({
    configFile: join(import.meta.dirname, '../../../demo/vite.config.ts'),
    cacheDir,
    logLevel: 'error',
    server: { port: 0, hmr: false, watch: null },
  })
  const [, browser] = await Promise.all([server.listen(), launchBrowser()])
  try {
    const { box, shows, refuse, button, problems, search } = await openDemo(
      browser,
      server.resolvedUrls!.local[0]!,
      {},
    )
    await search('york')
    await refuse()
    await box.fill('bern')
    await shows('bern')
    // React warns of each panel in development only.
    const names = 'Start calling, Stop calling, Add one, Send 60 calls, Stop sending, Across a boundary'
    for (const name of names.split(', ')) await button(name).click()
    expect(problems).toEqual([])
  } finally {
    await browser.close()
    await server.close()
    await rm(cacheDir, { recursive: true })
  }
})
