// The published package, as built in `dist`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from 'lull/core'
import * as fetch from 'lull/fetch'
import * as react from 'lull'
import * as redis from 'lull/redis'
import * as tabs from 'lull/tabs'
import * as testing from 'lull/testing'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { stagePackage } from './stage-package.ts'

const dist = join(import.meta.dirname, '../../dist')
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.c?js$/.test(file))
const read = (file: string): string => readFileSync(join(dist, file), 'utf8')

const listOf = (names: string): string[] => names.split(/\s+/)

it('exports these names and no others', () => {
  expect(Object.keys(react)).toEqual(
    listOf(`ClockProvider RateLimitProvider composing createCondition pageHidden pageHide useBatch useClock
      useCountdown useDebounce useDebouncedAsync useDebouncedCallback useDebouncedState useIsPending
      useLimiter useRateLimitStatus useRateLimitedFetch useRateMeter useThrottle useThrottledCallback
      useThrottledEvent useThrottledResize`),
  )
  expect(Object.keys(core)).toEqual(
    listOf(`RateLimitError TokenBucket aimd allOf batch createAdaptiveLimiter createCircuitBreaker
      createConcurrencyLimiter createKeyedLimiter createLimiter createQueue createRateMeter
      createWaitingLimiter debounce debounceAsync debounceKeyed every fixedWindow gcra gradientLimit
      leakyBucket limiterHealth sampled slidingWindowCounter slidingWindowLog sometimes successRatio
      systemClock throttle throttleFrame tokenBucket wallClock withBlocks`),
  )
  expect(Object.keys(fetch)).toEqual(
    listOf(`circuitBreaker composeRateLimitedFetch createRateLimitedFetch dedupeFetch holdSlot isRateLimitError
      learnPace legacyRateLimitFields limitRate pageLifecycle parseRetryAfter priorities queueTimeout
      rateLimitFields readRateLimit retryAfterMs retryBudget supersedeFetch untilBodyRead
      warnOfHiddenFields`),
  )
  expect(Object.keys(redis)).toEqual(
    listOf(`createLeasedLimiter createRedisLimiter createSharedRate fixedWindow gcra leakyBucket
      slidingWindowCounter slidingWindowLog tokenBucket withGlide withIoredis withNodeRedis withUpstash`),
  )
  expect(Object.keys(tabs)).toEqual(listOf('shareBetweenTabs'))
  expect(Object.keys(testing)).toEqual(listOf('createManualClock resetSharedFetch'))
})

it("has 'use client' only at the start of the entry of the hooks", () => {
  const isClient = (file: string): boolean => /^['"]use client['"]/.test(read(file))
  expect(files.filter(isClient).toSorted()).toEqual(['react/index.cjs', 'react/index.js'])
})

it('imports React in the hooks only, and no other package', () => {
  const outside = files.flatMap((file) => {
    const names = read(file).matchAll(/(?:from |require\()"([^."][^"]*)"/g)
    return Array.from(names, ([, name]) => `${file.split('/')[0]} ${name}`)
  })
  expect(new Set(outside)).toEqual(new Set(['react react', 'react react/jsx-runtime']))
})

it('evaluates no text as code or markup, so it runs under any Content-Security-Policy', () => {
  const sinks =
    /(?<!\.)\beval\(|\bFunction\(|(?:inner|outer)HTML|insertAdjacentHTML|document\.write|srcdoc|set(?:Timeout|Interval)\(['"`]/
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => sinks.test(read(file)))).toEqual([])
})

it('has no dependencies, and React as an optional peer', () => {
  const manifest = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as Record<string, unknown>
  for (const kind of ['dependencies', 'optionalDependencies', 'bundledDependencies', 'bundleDependencies'])
    expect(manifest).not.toHaveProperty(kind)
  expect(manifest['peerDependencies']).toEqual({ react: '>=18' })
  expect(manifest['peerDependenciesMeta']).toEqual({ react: { optional: true } })
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest['scripts']).not.toHaveProperty(script)
})

it('its types compile with a lib of ES2020', () => {
  const types = files
    .filter((file) => file.endsWith('index.cjs'))
    .map((file) => file.replace('.cjs', '.d.cts'))
  expect(types).toHaveLength(6)
  const program = ts.createProgram(
    types.map((file) => join(dist, file)),
    {
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2020,
      lib: ['lib.es2020.d.ts', 'lib.dom.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
    },
  )
  const errors = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file?.fileName.startsWith(dist))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  expect(errors).toEqual([])
})

const runWithoutReact = stagePackage([])

it.each(['core', 'fetch', 'redis', 'tabs', 'testing'])(
  'plain Node without React can import %s, which leaves nothing running',
  (entry) => {
    expect(runWithoutReact(`console.log(Object.keys(await import('lull/${entry}')).length > 0)`)).toBe(true)
  },
)
