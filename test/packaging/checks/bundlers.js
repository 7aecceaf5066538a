import assert from 'node:assert'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectDebounced, withPage } from '../open-page.js'
import { serveFolder } from '../serve-folder.js'

const parts = ['index.html', 'app.js', 'main.js', 'worker.js', 'only-debounce.js']

/** Returns the text of all built scripts. */
function bundled(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  )
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
}

const bundler = (name) => ({
  name,
  parts,
  async check(project, check) {
    await check('builds', () => project.build())
    const site = await serveFolder(join(project.folder, 'dist'))
    await check('typing in the page is debounced', () => withPage(site.url, expectDebounced))
    await check('lull/core debounces and limits in a web worker', () =>
      withPage(site.url, async (page) => {
        await page.waitForFunction(() => document.getElementById('worker').textContent !== '')
        assert.strictEqual(await page.locator('#worker').textContent(), 'true,true,false three')
      }),
    )
    await site.close()
    await check('development warnings are not in the bundle', () => {
      const warnings = /must be a number of ms|has no option/
      assert.match(bundled(join(project.folder, 'node_modules/lull/dist')), warnings)
      assert.doesNotMatch(bundled(join(project.folder, 'dist')), warnings)
    })
    await check('importing debounce includes no limiter, fetch or React', () => {
      // The page's bundle contains the limiters' option names, so the check below would find them.
      assert.match(bundled(join(project.folder, 'dist')), /ratePerSecond/)
      const code = bundled(join(project.folder, 'only'))
      assert.match(code, /maxWait/)
      assert.doesNotMatch(code, /ratePerSecond|retry-after|useState/i)
      assert.ok(code.length < 6000, `${code.length} characters`)
    })
  },
})

export const vite = bundler('vite')
export const webpack = bundler('webpack')
export const esbuild = bundler('esbuild')
