// @vitest-environment node
// `require` of the package: in Node, where it returns the same instance as import, and in loaders of CommonJS
// only, such as Jest.
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

/** Runs the script and returns the value it passes to `say`. */
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

it('require and import return the same instance', () => {
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

it('require and import share the page-wide rate-limited fetch and its error class', () => {
  const said = run(
    'page.mjs',
    `${both}
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import { useRateLimitedFetch } from 'lull'
    import { createWaitingLimiter, RateLimitError, tokenBucket } from 'lull/core'
    import { isRateLimitError } from 'lull/fetch'

    globalThis.window = globalThis
    const find = (useFetch) => {
      let found
      const Finder = () => ((found = useFetch()), null)
      renderToString(createElement(Finder))
      return found
    }
    const shared = find(useRateLimitedFetch)
    const required = find(require('lull').useRateLimitedFetch)
    require('lull/testing').resetSharedFetch()
    const next = find(useRateLimitedFetch)
    const core = require('lull/core')
    const limiter = core.createWaitingLimiter(core.tokenBucket({ ratePerSecond: 0, burst: 0 }))
    const error = await limiter.wait().catch((error) => error)
    say([typeof shared, shared === required, shared === next, error instanceof RateLimitError, isRateLimitError(error)])`,
  )
  expect(said).toEqual(['function', true, false, true, true])
})

it('a loader that cannot require modules gets CommonJS, with the same names', () => {
  const said = run(
    'old.cjs',
    `(async () => {
      const different = []
      for (const entry of ${JSON.stringify(entries)}) {
        if (!require.resolve(entry).endsWith('.cjs')) different.push(require.resolve(entry))
        const names = (module) => Object.keys(module).filter((name) => !/^(default|module\\.exports)$/.test(name)).sort().join()
        if (names(require(entry)) !== names(await import(entry))) different.push(entry)
      }
      const { useRateLimitedFetch } = require('lull')
      const { debounce } = require('lull/core')
      const { createManualClock, resetSharedFetch } = require('lull/testing')
      const { renderToString } = require('react-dom/server')
      const { createElement } = require('react')
      globalThis.window = globalThis
      const fetches = []
      const Finder = () => (fetches.push(useRateLimitedFetch()), null)
      const find = () => renderToString(createElement(Finder))
      find()
      find()
      resetSharedFetch()
      find()
      const isSame = [fetches[0] === fetches[1], fetches[0] === fetches[2]]
      const clock = createManualClock()
      const runs = []
      const soon = debounce((word) => runs.push(word), 100, { clock })
      soon('one')
      soon('two')
      clock.advance(100)
      console.log(JSON.stringify({ different, runs, isSame }))
    })()`,
    '--no-experimental-require-module',
  )
  expect(said).toEqual({ different: [], runs: ['two'], isSame: [true, false] })
})

// Metro resolves an import and a require by different conditions; Jest's preset for React Native loads CommonJS only.
it('React Native gets one instance, of CommonJS, for import and require', () => {
  const said = run(
    'native.mjs',
    `${both}
    const different = []
    for (const entry of ${JSON.stringify(entries)}) {
      if (!require.resolve(entry).endsWith('.cjs')) different.push(require.resolve(entry))
      if ((await import(entry)).default !== require(entry)) different.push(entry)
    }
    say(different)`,
    '--conditions=react-native',
    '--no-experimental-require-module',
  )
  expect(said).toEqual([])
})
