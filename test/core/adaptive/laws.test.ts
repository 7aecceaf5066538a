import {
  createAdaptiveLimiter,
  createCircuitBreaker,
  createConcurrencyLimiter,
  createQueue,
  createRateMeter,
  tokenBucket,
} from 'lull/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { outcomeOf } from '../../../src/core/adaptive/call-outcome.ts'

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

it.each([null, NaN, 0, '2', {}, { current: 0 }, { current: '3' }])(
  'refuses a concurrency limit of %o by name',
  (limit) => {
    expect(() => createConcurrencyLimiter({ limit: limit as never })).toThrow(/^Expected limit >= 1, got /)
  },
)

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
  ['a timeout', 'TimeoutError', 'failure'],
  ['an abort', 'AbortError', 'neutral'],
])('takes %s of another realm for one', (_, name, outcome) => {
  // An error of an iframe is no instance of ours.
  const signal = { aborted: true, reason: { name, message: '' } } as unknown as AbortSignal
  expect(outcomeOf(signal.reason, signal)).toBe(outcome)
})

it.each([
  [{ name: 'RateLimitError' }, 'neutral'],
  [new Error('own'), 'failure'],
  [undefined, 'failure'],
  [null, 'failure'],
])('takes a rejection with %o for %s', (error, outcome) => {
  expect(outcomeOf(error, undefined)).toBe(outcome)
})
