import assert from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { codeOf } from './code-of.js'

/** Cloudflare's runtime of Workers. */
export const workerd = {
  name: 'workerd',
  async check({ folder, run }, check) {
    const { Miniflare, Response } = createRequire(join(folder, 'package.json'))('miniflare')

    /** Calls `act` with the Worker in that file; `respond` receives what it sends. */
    async function withWorker(file, respond, act) {
      await run('npx', ['esbuild', file, '--bundle', '--format=esm', '--outfile=bundle.mjs'])
      const worker = new Miniflare({
        script: readFileSync(join(folder, 'bundle.mjs'), 'utf8'),
        modules: true,
        compatibilityDate: '2025-09-01',
        durableObjects: file === 'guide.js' ? { API: 'Api' } : {},
        outboundService: respond,
      })
      try {
        await act(() => worker.dispatchFetch('http://worker.example'))
      } finally {
        await worker.dispose()
      }
    }

    await check('makes everything at the top of a module, and limiters decide there', () =>
      withWorker('module.js', undefined, async (send) => {
        const response = await send()
        assert.deepStrictEqual(await response.json(), [true, true, false, false, true])
      }),
    )
    await check("requests that wait in the guide's Durable Object at once are all served", async () => {
      const [{ code }] = codeOf('docs/guides/runtimes.md')
      writeFileSync(join(folder, 'guide.js'), code)
      let sent = 0
      const respond = () => {
        const status = sent++ ? 200 : 429
        return new Response('cities', { status, headers: { 'Retry-After': '1' } })
      }
      await withWorker('guide.js', respond, async (send) => {
        const responses = await Promise.all(Array.from({ length: 4 }, send))
        const texts = await Promise.all(responses.map((response) => response.text()))
        assert.deepStrictEqual(texts, Array(4).fill('cities'))
        assert.strictEqual(sent, 5)
      })
    })
  },
}
