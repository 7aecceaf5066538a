// @vitest-environment node
// Who requires the package: Node, where it is the same instance that others import, and what loads CommonJS alone, as Jest does.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stagePackage } from './stage-package.ts'

const entries = ['lull', 'lull/core', 'lull/fetch', 'lull/redis', 'lull/tabs', 'lull/testing']
let folder: string

beforeAll(() => {
  folder = stagePackage()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns what the script gives to `say`. */
function run(file: string, script: string, ...flags: string[]): unknown {
  writeFileSync(join(folder, file), script)
  const printed = execFileSync(process.execPath, [...flags, file], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
  })
  return JSON.parse(printed)
}

const both = `
  import { createRequire } from 'node:module'
  const require = createRequire(import.meta.url)
  const say = (value) => console.log(JSON.stringify(value))
`

it('who requires a part gets the instance that others import', () => {
  const said = run(
    'same.mjs',
    `${both}
    const different = []
    for (const entry of ${JSON.stringify(entries)}) {
      const imported = await import(entry)
      const required = require(entry)
      for (const name of new Set([...Object.keys(imported), ...Object.keys(required)]))
        if (imported[name] !== required[name] || !imported[name]) different.push(entry + ' ' + name)
    }
    say(different)`,
  )
  expect(said).toEqual([])
})

it('so there is one rate-limited fetch of the page and one class of its errors', () => {
  const said = run(
    'page.mjs',
    `${both}
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import { useRateLimitedFetch } from 'lull'
    import { createWaitingLimiter, RateLimitError, tokenBucket } from 'lull/core'
    import { isRateLimitError } from 'lull/fetch'

    globalThis.window = globalThis
    const fetches = [useRateLimitedFetch, require('lull').useRateLimitedFetch].map((useFetch) => {
      let found
      const Finder = () => ((found = useFetch()), null)
      renderToString(createElement(Finder))
      return found
    })
    const core = require('lull/core')
    const limiter = core.createWaitingLimiter(core.tokenBucket({ ratePerSecond: 0, burst: 0 }))
    const error = await limiter.wait().catch((error) => error)
    say([typeof fetches[0], fetches[0] === fetches[1], error instanceof RateLimitError, isRateLimitError(error)])`,
  )
  expect(said).toEqual(['function', true, true, true])
})

it('what cannot require a module gets CommonJS, with the same names', () => {
  const said = run(
    'old.cjs',
    `(async () => {
      const different = []
      for (const entry of ${JSON.stringify(entries)}) {
        if (!require.resolve(entry).endsWith('.cjs')) different.push(require.resolve(entry))
        const names = (module) => Object.keys(module).filter((name) => !/^(default|module\\.exports)$/.test(name)).sort().join()
        if (names(require(entry)) !== names(await import(entry))) different.push(entry)
      }
      const { debounce } = require('lull/core')
      const { createManualClock } = require('lull/testing')
      const clock = createManualClock()
      const runs = []
      const soon = debounce((word) => runs.push(word), 100, { clock })
      soon('one')
      soon('two')
      clock.advance(100)
      console.log(JSON.stringify({ different, runs }))
    })()`,
    '--no-experimental-require-module',
  )
  expect(said).toEqual({ different: [], runs: ['two'] })
})
