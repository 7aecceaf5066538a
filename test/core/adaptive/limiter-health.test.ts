import { createKeyedLimiter, createWaitingLimiter, limiterHealth, sampled, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

it.each([
  ['too few decisions', { allowed: 0, denied: 99 }, {}, { isHealthy: true, denialRatio: undefined }],
  ['only refusals', { allowed: 0, denied: 100 }, {}, { isHealthy: false, denialRatio: 1 }],
  ['the maximum of refusals', { allowed: 5, denied: 95 }, {}, { isHealthy: true, denialRatio: 0.95 }],
  ['one more', { allowed: 49, denied: 951 }, {}, { isHealthy: false, denialRatio: 0.951 }],
  [
    'a stricter judge',
    { allowed: 5, denied: 5 },
    { minDecisions: 10, maxDenialRatio: 0.4 },
    { isHealthy: false, denialRatio: 0.5 },
  ],
  [
    'what came since',
    { allowed: 1000, denied: 300 },
    { since: { allowed: 1000, denied: 200 } },
    { isHealthy: false, denialRatio: 1 },
  ],
  [
    'the refusals since then only',
    { allowed: 250, denied: 250 },
    { since: { allowed: 100, denied: 200 } },
    { isHealthy: true, denialRatio: 0.25 },
  ],
  [
    'no decisions',
    { allowed: 0, denied: 0 },
    { minDecisions: 0 },
    { isHealthy: true, denialRatio: undefined },
  ],
])('limiterHealth judges by %s', (_, counts, options, expected) => {
  expect(limiterHealth(counts, options)).toEqual(expected)
})

it('limiterHealth reads a snapshot', () => {
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), {
    clock: createManualClock(),
  })
  for (let i = 0; i < 200; i++) limiter.allow()
  expect(limiterHealth(limiter.snapshot())).toEqual({ isHealthy: false, denialRatio: 199 / 200 })
})

it('sampled passes an event on if its random number is below the ratio', () => {
  const draws = [0.005, 0.01, 0.5, 0.0099]
  const logged: string[] = []
  const clock = createManualClock(7)
  const limiter = createKeyedLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), {
    clock,
    onEvent: sampled(
      0.01,
      ({ type, key, cost, at }) => logged.push(`${type} ${key} ${cost} ${at}`),
      () => draws.shift()!,
    ),
  })
  for (const key of ['a', 'a', 'a', 'b', 'b', 'b']) limiter.allow(key)
  expect(logged).toEqual(['denied a 1 7', 'denied b 1 7'])
  expect(draws).toEqual([])
})

it.each([
  [0, 0],
  [1, 50],
])('sampled at %s passes %s of 50', (ratio, expected) => {
  let passed = 0
  const pass = sampled(ratio, () => passed++)
  for (let i = 0; i < 50; i++) pass(undefined)
  expect(passed).toBe(expected)
})

it.each([
  ['minDecisions', () => limiterHealth({ allowed: 1, denied: 1 }, { minDecisions: -1 })],
  ['maxDenialRatio', () => limiterHealth({ allowed: 1, denied: 1 }, { maxDenialRatio: NaN })],
  ['ratio', () => sampled(-1, () => undefined)],
])('a bad %s throws a RangeError that names it', (name, act) => {
  expect(act).toThrow(RangeError)
  expect(act).toThrow(name)
})
