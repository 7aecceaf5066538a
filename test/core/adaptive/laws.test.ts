import {
  allOf,
  createAdaptiveLimiter,
  createCircuitBreaker,
  createConcurrencyLimiter,
  createKeyedLimiter,
  createLimiter,
  createQueue,
  createRateMeter,
  createWaitingLimiter,
  gradientLimit,
  limiterHealth,
  sampled,
  TokenBucket,
  tokenBucket,
  type Limiter,
} from 'lull/core'
import { expect, it, vi } from 'vitest'
import { outcomeOf } from '../../../src/core/adaptive/call-outcome.ts'
import { aimd, successRatio } from '../../../src/core/adaptive/rate-strategies.ts'
import { throwing } from '../shared/throwing.ts'

// Argument checks, and laws of subscriptions, for the adaptive limiters, the meter and the queue; callbacks of all limiters.

const rule = tokenBucket({ ratePerSecond: 1, burst: 1 })
const meter = createRateMeter()
const adaptive = createAdaptiveLimiter(rule)

it.each<[method: string, call: (value: never) => unknown, outOfRange: number]>([
  ['count of a rate meter', (count) => meter.add(count), Infinity],
  ['at of a rate meter, of add', (at) => meter.add(1, at), Infinity],
  ['at of a rate meter, of rate', (at) => meter.rate(at), Infinity],
  ['ms of an adaptive limiter', (ms) => adaptive.latency(ms), -1],
])('%s throws for another type, and names itself for a number out of range', (title, call, outOfRange) => {
  for (const value of [null, '1', '', [], new Date(0), true])
    expect(() => call(value as never)).toThrow(TypeError)
  const name = new RegExp(`\\b${title.split(' ')[0]}\\b`)
  for (const value of [NaN, outOfRange, -Infinity]) {
    expect(() => call(value as never)).toThrow(RangeError)
    expect(() => call(value as never)).toThrow(name)
  }
  expect(meter.rate()).toBe(0)
})

const judge = (options: object) => limiterHealth({ allowed: 1, denied: 1 }, options)
const createOfRule = (options: object) => createAdaptiveLimiter(rule, options)
const restore = (from: object) =>
  createRateMeter({ from: { ratePerSecond: 1, ageMs: 1, halfLifeMs: 1, ...from } })

/** The values outside of a range, such as `max > 0` or `finite max`. */
function outside(range: string): [option: string, values: unknown[]] {
  const [option, sign, bound] = range.split(' ') as [string, string, string]
  if (option === 'finite') return [sign, [Infinity]]
  if (sign === '<=')
    return [option, [bound === `${Number.MAX_SAFE_INTEGER}` ? Infinity : Number(bound) + 0.1]]
  return [option, [sign === '>' ? Number(bound) : Number(bound) - 0.1, null, NaN, -Infinity, '2', {}]]
}

type Create = (options: never) => unknown

it.each<[name: string, ranges: string, create: Create, rest?: object]>([
  ['createQueue', 'concurrency >= 1, capacity >= 0, ageingMs > 0', createQueue],
  ['createCircuitBreaker', 'failureRatio > 0, failureRatio <= 1, minimumCalls >= 1', createCircuitBreaker],
  ['createCircuitBreaker', 'windowMs > 0, openMs >= 0', createCircuitBreaker],
  ['createConcurrencyLimiter', 'limit >= 1, maxQueue >= 0', createConcurrencyLimiter, { limit: 1 }],
  [
    'a limit that adapts',
    'limit >= 1',
    ({ limit: current }) => createConcurrencyLimiter({ limit: { current } as never }),
  ],
  ['gradientLimit', 'min >= 1, initial >= 1, smoothing > 0, smoothing <= 1, tolerance >= 1', gradientLimit],
  ['gradientLimit', 'max >= 5', gradientLimit, { min: 5 }],
  ['gradientLimit', 'initial <= 20, resampleMs >= 0', gradientLimit, { max: 20 }],
  ['gradientLimit', `initial <= ${Number.MAX_SAFE_INTEGER}`, gradientLimit, { max: Infinity }],
  ['createAdaptiveLimiter', 'max > 0, min > 0, dampingMs >= 0, jitter >= 0, jitter <= 1', createOfRule],
  ['createAdaptiveLimiter', 'percentile > 0, percentile <= 1, tolerance >= 1', createOfRule],
  ['createAdaptiveLimiter', 'min <= 1', createOfRule, { max: 1 }],
  ['createAdaptiveLimiter', 'finite max', createOfRule, { increase: 1 }],
  ['aimd', 'increase > 0, decrease > 0, decrease <= 1, holdMs >= 0', aimd, { increase: 1 }],
  ['aimd', 'minFailures >= 1, minSuccesses >= 1', aimd, { increase: 1 }],
  ['successRatio', 'target > 0, target <= 1, margin >= 0, intervalMs > 0, minCalls >= 1', successRatio],
  ['successRatio', 'decrease > 0, decrease <= 1, increase >= 1', successRatio],
  ['limiterHealth', 'minDecisions >= 0, maxDenialRatio >= 0', judge],
  ['sampled', 'ratio >= 0', ({ ratio }) => sampled(ratio, () => undefined)],
  ['createRateMeter', 'halfLifeMs >= 0, finite halfLifeMs', createRateMeter],
  ['createRateMeter from a state', 'ratePerSecond >= 0, finite ratePerSecond, ageMs >= 0', restore],
])('%s throws a RangeError that names %s', (_, ranges, create, rest) => {
  for (const range of ranges.split(', ')) {
    const [option, values] = outside(range)
    for (const value of values) {
      const act = () => create({ ...rest, [option]: value } as never)
      expect(act).toThrow(RangeError)
      expect(act).toThrow(`Expected ${range}, `)
    }
  }
})

it.each([
  [
    'overflow to be reject-new or drop-oldest or drop-newest',
    () => createQueue({ overflow: 'block' as never }),
  ],
  ['halfLifeMs > 0', () => createRateMeter({ halfLifeMs: 0 })],
  ['halfLifeMs > 0', () => restore({ halfLifeMs: 0 })],
])('a RangeError names %s', (expected, act) => {
  expect(act).toThrow(RangeError)
  expect(act).toThrow(`Expected ${expected}, `)
})

it.each<[name: string, call: (value: never) => unknown]>([
  ['task', (task) => createCircuitBreaker().run(task)],
  ['task', (task) => createQueue().add(task)],
  ['task', (task) => createConcurrencyLimiter({ limit: 1 }).run(task)],
  ['onEvent', (onEvent) => createCircuitBreaker({ onEvent })],
  ['strategy', (strategy) => createAdaptiveLimiter(rule, { strategy })],
  ['random', (random) => createAdaptiveLimiter(rule, { random })],
  ['listener', (listener) => sampled(1, listener)],
  ['clock', (clock) => new TokenBucket(1, 1, { clock })],
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
  expect(() => createAdaptiveLimiter(createLimiter(rule) as never)).toThrow(TypeError)
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
  ['a limiter', watched(createLimiter(rule), (limiter) => limiter.allow())],
  ['a waiting limiter', watched(createWaitingLimiter(rule), (limiter) => limiter.allow())],
  ['all of some', watched(allOf(createWaitingLimiter<never>(rule)), (all) => all.allow())],
  ['a keyed limiter', watched(createKeyedLimiter(rule), (limiter) => limiter.allow('a'))],
])('%s reports an error of a listener, and calls the others', (_, { subscribe, change }) => {
  const reported = silence()
  const error = new Error('bad')
  const other = vi.fn()
  subscribe(throwing(error))
  subscribe(other)
  change()
  expect(other).toHaveBeenCalledTimes(1)
  expect(reported.mock.calls).toEqual([[error]])
})

type OnEvent = { onEvent: () => void }
const refuse = (limiter: Pick<Limiter, 'allow' | 'snapshot'>) =>
  !limiter.allow(2) && limiter.snapshot().denied === 1

it.each<[name: string, act: (options: OnEvent) => boolean]>([
  ['a limiter', (options) => refuse(createLimiter(rule, options))],
  ['a waiting limiter', (options) => refuse(createWaitingLimiter(rule, options))],
  ['a keyed limiter', (options) => !createKeyedLimiter(rule, options).allow('a', 2)],
  [
    'a circuit breaker',
    (options) => {
      const breaker = createCircuitBreaker({ minimumCalls: 1, ...options })
      breaker.failure()
      return breaker.state === 'open' && breaker.snapshot().state === 'open'
    },
  ],
])('%s reports what onEvent throws, and refuses or opens all the same', (_, act) => {
  const reported = silence()
  const error = new Error('bad')
  const isRight = act({ onEvent: throwing(error) })
  expect([isRight, reported.mock.calls]).toEqual([true, [[error]]])
})

it.each([
  [{ name: 'RateLimitError' }, 'neutral'],
  [new Error('own'), 'failure'],
  [undefined, 'failure'],
  [null, 'failure'],
])('counts a rejection with %o as %s', (error, outcome) => {
  expect(outcomeOf(error, undefined)).toBe(outcome)
})
