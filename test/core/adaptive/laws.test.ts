import {
  createAdaptiveLimiter,
  createCircuitBreaker,
  createConcurrencyLimiter,
  createQueue,
  createRateMeter,
  gradientLimit,
  tokenBucket,
} from 'lull/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { outcomeOf } from '../../../src/core/adaptive/call-outcome.ts'
import { aimd, successRatio } from '../../../src/core/adaptive/rate-strategies.ts'

// What holds for all that is watched or takes numbers here and in the queue, whatever it does.

afterEach(() => vi.restoreAllMocks())

const meter = createRateMeter()

describe.each<[method: string, call: (value: never) => unknown]>([
  ['add', (count) => meter.add(count)],
  ['add at', (at) => meter.add(1, at)],
  ['rate', (at) => meter.rate(at)],
])('the %s of a rate meter', (_, call) => {
  it.each([null, '1', '', [], new Date(0), true])('throws a TypeError for %o', (value) => {
    expect(() => call(value as never)).toThrow(TypeError)
  })

  it.each([NaN, Infinity, -Infinity])('throws a RangeError for %d', (value) => {
    expect(() => call(value as never)).toThrow(RangeError)
  })
})

const rule = tokenBucket({ ratePerSecond: 1, burst: 1 })
const state = { ratePerSecond: 1, ageMs: 1, halfLifeMs: 1 }

describe.each<[name: string, create: (options: never) => unknown, bad: [options: object, says: string][]]>([
  [
    'createQueue',
    createQueue,
    [
      [{ concurrency: 0 }, 'concurrency >= 1, got 0'],
      [{ concurrency: NaN }, 'concurrency >= 1, got NaN'],
      [{ capacity: -1 }, 'capacity >= 0, got -1'],
      [{ ageingMs: 0 }, 'ageingMs > 0, got 0'],
      [{ overflow: 'block' }, 'overflow to be reject-new or drop-oldest or drop-newest, got block'],
    ],
  ],
  [
    'createCircuitBreaker',
    createCircuitBreaker,
    [
      [{ failureRatio: 0 }, 'failureRatio > 0, got 0'],
      [{ failureRatio: 50 }, 'failureRatio <= 1, got 50'],
      [{ failureRatio: NaN }, 'failureRatio > 0, got NaN'],
      [{ minimumCalls: 0 }, 'minimumCalls >= 1, got 0'],
      [{ windowMs: 0 }, 'windowMs > 0, got 0'],
      [{ openMs: -1 }, 'openMs >= 0, got -1'],
    ],
  ],
  [
    'createConcurrencyLimiter',
    (options) => createConcurrencyLimiter(Object.assign({ limit: 1 }, options)),
    [
      ...[null, NaN, 0, '2', {}, { current: 0 }, { current: '3' }].map((limit): [object, string] => [
        { limit },
        'limit >= 1, got ',
      ]),
      [{ maxQueue: -1 }, 'maxQueue >= 0, got -1'],
      [{ maxQueue: NaN }, 'maxQueue >= 0, got NaN'],
    ],
  ],
  [
    'gradientLimit',
    gradientLimit,
    [
      [{ min: 0 }, 'min >= 1, got 0'],
      [{ min: 5, max: 4 }, 'max >= 5, got 4'],
      [{ initial: 0 }, 'initial >= 1, got 0'],
      [{ initial: 30, max: 20 }, 'initial <= 20, got 30'],
      [{ initial: Infinity, max: Infinity }, 'initial'],
      [{ smoothing: 0 }, 'smoothing > 0, got 0'],
      [{ smoothing: 1.5 }, 'smoothing <= 1, got 1.5'],
      [{ tolerance: 0.9 }, 'tolerance >= 1, got 0.9'],
      [{ resampleMs: -1 }, 'resampleMs >= 0, got -1'],
      [{ resampleMs: NaN }, 'resampleMs >= 0, got NaN'],
    ],
  ],
  [
    'createAdaptiveLimiter',
    (options) => createAdaptiveLimiter(rule, options),
    [
      [{ min: 0 }, 'min > 0, got 0'],
      [{ min: NaN }, 'min > 0, got NaN'],
      [{ min: 2, max: 1 }, 'max >= 2, got 1'],
      [{ max: Infinity, increase: 1 }, 'max <= 1.7976931348623157e+308, got Infinity'],
      [{ dampingMs: -1 }, 'dampingMs >= 0, got -1'],
      [{ jitter: -0.1 }, 'jitter >= 0, got -0.1'],
      [{ jitter: 1.1 }, 'jitter <= 1, got 1.1'],
      [{ percentile: 0 }, 'percentile > 0, got 0'],
      [{ percentile: 90 }, 'percentile <= 1, got 90'],
      [{ tolerance: 0.5 }, 'tolerance >= 1, got 0.5'],
    ],
  ],
  [
    'aimd',
    (options) => aimd(Object.assign({ increase: 1 }, options)),
    [
      [{ increase: 0 }, 'increase > 0, got 0'],
      [{ increase: NaN }, 'increase > 0, got NaN'],
      [{ decrease: 0 }, 'decrease > 0, got 0'],
      [{ decrease: 1.1 }, 'decrease <= 1, got 1.1'],
      [{ holdMs: -1 }, 'holdMs >= 0, got -1'],
      [{ minFailures: 0 }, 'minFailures >= 1, got 0'],
      [{ minSuccesses: 0.5 }, 'minSuccesses >= 1, got 0.5'],
    ],
  ],
  [
    'successRatio',
    successRatio,
    [
      [{ target: 0 }, 'target > 0, got 0'],
      [{ target: 1.1 }, 'target <= 1, got 1.1'],
      [{ margin: -1 }, 'margin >= 0, got -1'],
      [{ intervalMs: 0 }, 'intervalMs > 0, got 0'],
      [{ minCalls: 0 }, 'minCalls >= 1, got 0'],
      [{ decrease: 0 }, 'decrease > 0, got 0'],
      [{ decrease: 2 }, 'decrease <= 1, got 2'],
      [{ increase: 0.9 }, 'increase >= 1, got 0.9'],
    ],
  ],
  [
    'createRateMeter',
    createRateMeter,
    [
      [{ halfLifeMs: 0 }, 'halfLifeMs > 0, got 0'],
      [{ halfLifeMs: -1 }, 'halfLifeMs >= 0, got -1'],
      [{ halfLifeMs: NaN }, 'halfLifeMs >= 0, got NaN'],
      [{ halfLifeMs: Infinity }, 'finite halfLifeMs, got Infinity'],
      [{ from: { ...state, halfLifeMs: 0 } }, 'halfLifeMs > 0, got 0'],
      [{ from: { ...state, ratePerSecond: -1 } }, 'ratePerSecond >= 0, got -1'],
      [{ from: { ...state, ratePerSecond: Infinity } }, 'finite ratePerSecond, got Infinity'],
      [{ from: { ...state, ageMs: -1 } }, 'ageMs >= 0, got -1'],
      [{ from: { ...state, ageMs: null } }, 'ageMs >= 0, got null'],
    ],
  ],
])('%s', (_, create, bad) => {
  it.each(bad)('refuses %o with a RangeError that says %s', (options, says) => {
    expect(() => create(options as never)).toThrow(RangeError)
    expect(() => create(options as never)).toThrow(`Expected ${says}`)
  })
})

const silence = () => vi.spyOn(console, 'error').mockImplementation(() => undefined)

it.each<[name: string, subscribe: (listener: () => void) => () => void, change: () => unknown]>([
  ...[
    ['a queue', createQueue(), (queue: ReturnType<typeof createQueue>) => queue.pause()],
    ['a rate meter', createRateMeter(), (meter: ReturnType<typeof createRateMeter>) => meter.add()],
    [
      'a circuit breaker',
      createCircuitBreaker(),
      (breaker: ReturnType<typeof createCircuitBreaker>) => breaker.allow(),
    ],
    [
      'a concurrency limiter',
      createConcurrencyLimiter({ limit: 1 }),
      (limiter: ReturnType<typeof createConcurrencyLimiter>) => limiter.tryAcquire(),
    ],
    [
      'an adaptive limiter',
      createAdaptiveLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 })),
      (limiter: ReturnType<typeof createAdaptiveLimiter>) => limiter.allow(),
    ],
  ].map(([name, subject, change]) => {
    const { subscribe } = subject as { subscribe: (listener: () => void) => () => void }
    return [name as string, subscribe, () => (change as (subject: unknown) => unknown)(subject)] as [
      string,
      typeof subscribe,
      () => unknown,
    ]
  }),
])('%s reports what a listener throws, and calls the others', (_, subscribe, change) => {
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

it('changes its state also where onEvent throws, which is reported', () => {
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
])('takes a rejection with %o for %s', (error, outcome) => {
  expect(outcomeOf(error, undefined)).toBe(outcome)
})
