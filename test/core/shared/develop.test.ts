import * as core from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const { batch, createLimiter, debounce, gcra, tokenBucket } = core
const none = (): void => undefined
const bad = { ratePerSecond: 5 } as never

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const warnings = (): unknown[] => vi.mocked(console.warn).mock.calls.flat()

describe.each([
  ['debounce', debounce],
  ['throttle', core.throttle],
  ['debounceAsync', core.debounceAsync],
  ['debounceKeyed', (fn, wait, options) => core.debounceKeyed(fn, wait, { key: none, ...options })],
] as [string, (fn: () => void, wait: number, options?: object) => unknown][])(
  '%s, in development',
  (name, make) => {
    it.each([
      ['300', 'not a string, got 300'],
      [undefined, 'got undefined'],
      [{}, 'not an object, got [object Object]'],
      [none, 'got a function'],
    ])('throws for a wait of %o', (wait, got) => {
      expect(() => make(none, wait as never)).toThrow(
        new TypeError(`${name}: wait must be a number of ms, ${got}`),
      )
    })

    it('warns once of an unknown option', () => {
      for (let i = 0; i < 3; i++) make(none, 10, { [`maxwait of ${name}`]: 5 })
      expect(warnings()).toEqual([`lull: ${name} has no option 'maxwait of ${name}'`])
    })

    it('does not warn of its own options', () => {
      make(none, 10, { leading: true, trailing: false, signal: undefined, clock: undefined })
      expect(warnings()).toEqual([])
    })
  },
)

const gotObject = 'not an object, got [object Object]'

it.each([
  ['createLimiter', createLimiter, bad, gotObject],
  ['createWaitingLimiter', core.createWaitingLimiter, bad, gotObject],
  ['createKeyedLimiter', core.createKeyedLimiter, bad, gotObject],
  ['createLimiter', createLimiter, undefined as never, 'got undefined'],
  ['createRateLimitedFetch', (rule: never) => createRateLimitedFetch({ rule }), bad, gotObject],
] as const)('%s throws for anything but a rule', (name, make, rule, got) => {
  const message = `${name}: expected a rule, such as tokenBucket({ ratePerSecond: 5, burst: 10 }), ${got}`
  expect(() => make(rule)).toThrow(new TypeError(message))
})

it.each([
  ['createQueue', (limiter: never) => core.createQueue({ limiter })],
  ['allOf', (limiter: never) => core.allOf(limiter)],
])('%s throws for anything but a limiter', (name, make) => {
  const message = `${name}: limiter must be made by createLimiter or createWaitingLimiter, ${gotObject}`
  expect(() => make(gcra({ ratePerSecond: 1, burst: 1 }) as never)).toThrow(new TypeError(message))
})

const limits = { ratePerSecond: 1, burst: 1 }
const windows = { limit: 1, windowMs: 1 }

it.each<[name: keyof typeof core, first: unknown[], options?: object]>([
  ['throttleFrame', [none]],
  ['batch', [none]],
  ['sometimes', []],
  ['createLimiter', [gcra(limits)]],
  ['createWaitingLimiter', [gcra(limits)]],
  ['createKeyedLimiter', [gcra(limits)]],
  ['createQueue', []],
  ['createRateMeter', []],
  ['tokenBucket', [], limits],
  ['gcra', [], limits],
  ['leakyBucket', [], { ratePerSecond: 1, capacity: 1 }],
  ['fixedWindow', [], windows],
  ['slidingWindowLog', [], windows],
  ['slidingWindowCounter', [], windows],
])('%s warns of an option that it does not have', (name, first, options) => {
  const act = core[name] as (...args: unknown[]) => unknown
  act(...first, { ...options })
  expect(warnings()).toEqual([])
  act(...first, { ...options, clok: 1 })
  expect(warnings()).toEqual([`lull: ${name} has no option 'clok'`])
})

it('a call of a rate-limited fetch warns of an option that it does not have', async () => {
  const fetch = createRateLimitedFetch({ fetch: () => Promise.resolve(new Response()) })
  await fetch('https://a.example', { rateLimit: { priority: 'low', retries: 1 } as never })
  expect(warnings()).toEqual(["lull: init.rateLimit has no option 'retries'"])
})

it.each([
  ['createLimiter: onEvent', { onEvent: 5 }, (options: object) => createLimiter(gcra(limits), options)],
  ['batch: key', { key: 5 }, (options: object) => batch(none, options)],
])('%s must be a function', (name, options, act) => {
  expect(() => act(options)).toThrow(new TypeError(`${name} must be a function, not a number, got 5`))
})

it('warns once of both edges off, for each function', async () => {
  vi.resetModules()
  const { debounce: fresh } = await import('../../../src/core/debounce/debounce.ts')
  const { throttle: freshThrottle } = await import('../../../src/core/debounce/throttle.ts')
  for (let i = 0; i < 3; i++) fresh(none, 10, { trailing: false })
  await Promise.resolve()
  freshThrottle(none, 10, { leading: false, trailing: false })
  const problem = 'never runs with leading and trailing both false'
  expect(warnings()).toEqual([`lull: debounce ${problem}`, `lull: throttle ${problem}`])
})

it('debounce throws for a boolean, which Underscore has in place of options', () => {
  const error = new TypeError('debounce: expected options, not a boolean, got true')
  expect(() => debounce(none, 10, true as never)).toThrow(error)
})

it('a rule without options throws with its name', () => {
  const error = new TypeError('tokenBucket: expected options, got undefined')
  expect(() => tokenBucket(undefined as never)).toThrow(error)
})

const deno = {
  get NODE_ENV() {
    throw new Error('Requires env access')
  },
}

it.each([
  ['without a process, as in a browser without a bundler', undefined],
  ['where the process has no environment', { value: {}, configurable: true }],
  ['in Deno, which has not been asked to allow the reading', { value: { env: deno }, configurable: true }],
])('does not warn %s', (_, other: PropertyDescriptor | undefined) => {
  const process = Object.getOwnPropertyDescriptor(globalThis, 'process')!
  Reflect.deleteProperty(globalThis, 'process')
  if (other) Object.defineProperty(globalThis, 'process', other)
  try {
    debounce(none, 10, { ['of no process']: 5 } as object)
    expect(() => createLimiter(bad)).toThrow('is not a function')
  } finally {
    Object.defineProperty(globalThis, 'process', process)
  }
  expect(warnings()).toEqual([])
})

it('does not warn in production', () => {
  vi.stubEnv('NODE_ENV', 'production')
  debounce(none, 10, { ['of production']: 5 } as object)
  expect(warnings()).toEqual([])
  expect(() => createLimiter(bad)).toThrow('is not a function')
  expect(() => debounce(none, '300' as never)).toThrow(new TypeError('Expected a number wait, got 300'))
})
