import {
  createAdaptiveLimiter,
  createCircuitBreaker,
  createConcurrencyLimiter,
  createQueue,
  createRateMeter,
  gradientLimit,
  sampled,
  tokenBucket,
} from 'lull/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { outcomeOf } from '../../../src/core/adaptive/call-outcome.ts'
import { aimd, successRatio } from '../../../src/core/adaptive/rate-strategies.ts'

// Argument checks, and laws of subscriptions, for the adaptive limiters, the meter and the queue.

afterEach(() => vi.restoreAllMocks())

const rule = tokenBucket({ ratePerSecond: 1, burst: 1 })
const meter = createRateMeter()
const adaptive = createAdaptiveLimiter(rule)

describe.each<[method: string, call: (value: never) => unknown, outOfRange: number]>([
  ['count of a rate meter', (count) => meter.add(count), Infinity],
  ['at of a rate meter, of add', (at) => meter.add(1, at), Infinity],
  ['at of a rate meter, of rate', (at) => meter.rate(at), Infinity],
  ['ms of an adaptive limiter', (ms) => adaptive.latency(ms), -1],
])('%s', (title, call, outOfRange) => {
  it.each([[null], ['1'], [''], [[]], [new Date(0)], [true]])('throws a TypeError for %o', (value) => {
    expect(() => call(value as never)).toThrow(TypeError)
  })

  it.each([NaN, outOfRange, -Infinity])('throws a RangeError that names it for %d', (value) => {
    const [name] = title.split(' ')
    expect(() => call(value as never)).toThrow(
      expect.objectContaining({
        name: 'RangeError',
        message: expect.stringMatching(new RegExp(`\\b${name}\\b`)) as string,
      }),
    )
    expect(meter.rate()).toBe(0)
  })
})

const state = { ratePerSecond: 1, ageMs: 1, halfLifeMs: 1 }
const noLimits = [null, NaN, 0, '2', {}, { current: 0 }, { current: '3' }]

/** A range that begins with its option, values outside it, and other options to pass. */
type Bad = [range: string, values: unknown[], rest?: object]

describe.each<[name: string, create: (options: never) => unknown, bad: Bad[]]>([
  [
    'createQueue',
    createQueue,
    [
      ['concurrency >= 1', [0, NaN]],
      ['capacity >= 0', [-1]],
      ['ageingMs > 0', [0]],
      ['overflow to be reject-new or drop-oldest or drop-newest', ['block']],
    ],
  ],
  [
    'createCircuitBreaker',
    createCircuitBreaker,
    [
      ['failureRatio > 0', [0, NaN]],
      ['failureRatio <= 1', [50]],
      ['minimumCalls >= 1', [0]],
      ['windowMs > 0', [0]],
      ['openMs >= 0', [-1]],
    ],
  ],
  [
    'createConcurrencyLimiter',
    (options) => createConcurrencyLimiter(Object.assign({ limit: 1 }, options)),
    [
      ['limit >= 1', noLimits],
      ['maxQueue >= 0', [-1, NaN]],
    ],
  ],
  [
    'gradientLimit',
    gradientLimit,
    [
      ['min >= 1', [0]],
      ['max >= 5', [4], { min: 5 }],
      ['initial >= 1', [0]],
      ['initial <= 20', [30], { max: 20 }],
      ['initial <= 9007199254740991', [Infinity], { max: Infinity }],
      ['smoothing > 0', [0]],
      ['smoothing <= 1', [1.5]],
      ['tolerance >= 1', [0.9]],
      ['resampleMs >= 0', [-1, NaN]],
    ],
  ],
  [
    'createAdaptiveLimiter',
    (options) => createAdaptiveLimiter(rule, options),
    [
      ['max > 0', [0, NaN]],
      ['min > 0', [0, NaN]],
      ['min <= 1', [2], { max: 1 }],
      ['finite max', [Infinity], { increase: 1 }],
      ['dampingMs >= 0', [-1]],
      ['jitter >= 0', [-0.1]],
      ['jitter <= 1', [1.1]],
      ['percentile > 0', [0]],
      ['percentile <= 1', [90]],
      ['tolerance >= 1', [0.5]],
    ],
  ],
  [
    'aimd',
    (options) => aimd(Object.assign({ increase: 1 }, options)),
    [
      ['increase > 0', [0, NaN]],
      ['decrease > 0', [0]],
      ['decrease <= 1', [1.1]],
      ['holdMs >= 0', [-1]],
      ['minFailures >= 1', [0]],
      ['minSuccesses >= 1', [0.5]],
    ],
  ],
  [
    'successRatio',
    successRatio,
    [
      ['target > 0', [0]],
      ['target <= 1', [1.1]],
      ['margin >= 0', [-1]],
      ['intervalMs > 0', [0]],
      ['minCalls >= 1', [0]],
      ['decrease > 0', [0]],
      ['decrease <= 1', [2]],
      ['increase >= 1', [0.9]],
    ],
  ],
  [
    'createRateMeter',
    createRateMeter,
    [
      ['halfLifeMs > 0', [0]],
      ['halfLifeMs >= 0', [-1, NaN]],
      ['finite halfLifeMs', [Infinity]],
    ],
  ],
  [
    'createRateMeter from a state',
    (from: object) => createRateMeter({ from: { ...state, ...from } }),
    [
      ['halfLifeMs > 0', [0]],
      ['ratePerSecond >= 0', [-1]],
      ['finite ratePerSecond', [Infinity]],
      ['ageMs >= 0', [-1, null]],
    ],
  ],
])('%s', (_, create, bad) => {
  it.each(bad)('throws a RangeError that names %s for %j', (range, values, rest) => {
    const option = range.replace('finite ', '').split(' ')[0]!
    for (const value of values) {
      expect(() => create({ ...rest, [option]: value } as never)).toThrow(RangeError)
      expect(() => create({ ...rest, [option]: value } as never)).toThrow(`Expected ${range}, `)
    }
  })
})

it.each<[name: string, call: (value: never) => unknown]>([
  ['task', (task) => createCircuitBreaker().run(task)],
  ['task', (task) => createConcurrencyLimiter({ limit: 1 }).run(task)],
  ['onEvent', (onEvent) => createCircuitBreaker({ onEvent })],
  ['strategy', (strategy) => createAdaptiveLimiter(rule, { strategy })],
  ['random', (random) => createAdaptiveLimiter(rule, { random })],
  ['listener', (listener) => sampled(1, listener)],
])('a %s that is no function is a TypeError that names it', async (name, call) => {
  for (const [value, got] of [
    [1, 'not a number, got 1'],
    ['x', 'not a string, got x'],
    [null, 'got null'],
  ]) {
    const error = await new Promise((resolve) => resolve(call(value as never))).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toEqual(new TypeError(`Expected a function ${name}, ${got}`))
  }
})

it.each([null, undefined, 1])('a limit to adapt that is %o is a TypeError', (limit) => {
  const error = new TypeError(`Expected a waiting limiter or a rule, got ${limit}`)
  expect(() => createAdaptiveLimiter(limit as never)).toThrow(error)
})

const silence = () => vi.spyOn(console, 'error').mockImplementation(() => undefined)

/** A subject with `subscribe`, and a function that changes it. */
const watched = <Subject extends { subscribe: (listener: () => void) => () => void }>(
  subject: Subject,
  change: (subject: Subject) => unknown,
) => ({ subscribe: subject.subscribe, change: () => change(subject) })

it.each([
  ['a queue', watched(createQueue(), (queue) => queue.pause())],
  ['a rate meter', watched(createRateMeter(), (meter) => meter.add())],
  ['a circuit breaker', watched(createCircuitBreaker(), (breaker) => breaker.allow())],
  ['a concurrency limiter', watched(createConcurrencyLimiter({ limit: 1 }), (it) => it.tryAcquire())],
  ['an adaptive limiter', watched(createAdaptiveLimiter(rule), (limiter) => limiter.allow())],
])('%s reports an error of a listener, and calls the others', (_, { subscribe, change }) => {
  const reported = silence()
  const error = new Error('bad')
  const other = vi.fn()
  subscribe(() => {
    throw error
  })
  subscribe(other)
  change()
  expect(other).toHaveBeenCalledTimes(1)
  expect(reported.mock.calls).toEqual([[error]])
})

it('reports what onEvent throws, and changes its state all the same', () => {
  const reported = silence()
  const error = new Error('bad')
  const breaker = createCircuitBreaker({
    minimumCalls: 1,
    onEvent() {
      throw error
    },
  })
  breaker.failure()
  expect(breaker.state).toBe('open')
  expect(breaker.snapshot().state).toBe('open')
  expect(reported.mock.calls).toEqual([[error]])
})

it.each([
  [{ name: 'RateLimitError' }, 'neutral'],
  [new Error('own'), 'failure'],
  [undefined, 'failure'],
  [null, 'failure'],
])('counts a rejection with %o as %s', (error, outcome) => {
  expect(outcomeOf(error, undefined)).toBe(outcome)
})
