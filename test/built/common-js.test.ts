// @vitest-environment node
// `require` of the package: in Node, where it returns the same instance as import, and in loaders of CommonJS
// only, such as Jest.
import { expect, it } from 'vitest'
import { stagePackage } from './stage-package.ts'

const entries = ['lull', 'lull/core', 'lull/fetch', 'lull/redis', 'lull/tabs', 'lull/testing']
const run = stagePackage()

/** Compares each entry imported and required, and uses what several entries share. */
const script = `
  import { createRequire } from 'node:module'
  const require = createRequire(import.meta.url)
  const namesOf = (module) => Object.keys(module).filter((name) => !/^(default|module.exports)$/.test(name)).sort()
  const seen = new Set()
  for (const entry of ${JSON.stringify(entries)}) {
    const [imported, required] = [await import(entry), require(entry)]
    const names = namesOf(imported)
    const isComplete = names.length > 0 && names.join() === namesOf(required).join()
    const isSame = names.every((name) => imported[name] === required[name])
    seen.add([require.resolve(entry).split('.').at(-1), isComplete && 'all names', isSame && 'one instance'].filter(Boolean).join(', '))
  }

  const { createElement } = require('react')
  const { renderToString } = require('react-dom/server')
  globalThis.window = globalThis
  const findFetch = () => {
    let found
    const Finder = () => ((found = require('lull').useRateLimitedFetch()), null)
    renderToString(createElement(Finder))
    return found
  }
  const [shared, again] = [findFetch(), findFetch()]
  require('lull/testing').resetSharedFetch()
  const isReset = findFetch() !== shared

  const { createWaitingLimiter, debounce, RateLimitError, tokenBucket } = require('lull/core')
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 0, burst: 0 }))
  const error = await limiter.wait().catch((error) => error)
  const isOurError = error instanceof RateLimitError && require('lull/fetch').isRateLimitError(error)
  const clock = require('lull/testing').createManualClock()
  const runs = []
  const soon = debounce((word) => runs.push(word), 100, { clock })
  soon('one')
  soon('two')
  clock.advance(100)
  console.log(JSON.stringify({ seen: [...seen], isShared: shared === again, isReset, isOurError, runs }))
`

it.each([
  ['Node: modules, one instance for require and import', [], 'js, all names, one instance'],
  ['a loader that cannot require modules: CommonJS', ['--no-experimental-require-module'], 'cjs, all names'],
  // Metro resolves an import and a require by different conditions; Jest's preset for React Native loads CommonJS only.
  [
    'React Native: CommonJS, one instance for require and import',
    ['--conditions=react-native', '--no-experimental-require-module'],
    'cjs, all names, one instance',
  ],
])('the entries work together in %s', (_, flags, seen) => {
  expect(run(script, ...flags)).toEqual({
    seen: [seen],
    isShared: true,
    isReset: true,
    isOurError: true,
    runs: ['two'],
  })
})
