import { createKeyedLimiter, limiterHealth, sampled, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

const strict = { minDecisions: 10, maxDenialRatio: 0.4 }
const since = (allowed: number, denied: number) => ({ since: { allowed, denied } })

it.each<[by: string, allowed: number, denied: number, object, isHealthy: boolean, denialRatio?: number]>([
  ['too few decisions', 0, 99, {}, true],
  ['only refusals', 0, 100, {}, false, 1],
  ['the maximum of refusals', 5, 95, {}, true, 0.95],
  ['one more', 49, 951, {}, false, 0.951],
  ['a stricter judge', 5, 5, strict, false, 0.5],
  ['what came since', 1000, 300, since(1000, 200), false, 1],
  ['the refusals since then only', 250, 250, since(100, 200), true, 0.25],
  ['no decisions', 0, 0, { minDecisions: 0 }, true],
])('limiterHealth judges by %s', (_, allowed, denied, options, isHealthy, denialRatio) => {
  expect(limiterHealth({ allowed, denied }, options)).toEqual({ isHealthy, denialRatio })
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

it.each([0, 1])('sampled at %s passes that part of all', (ratio) => {
  let passed = 0
  const pass = sampled(ratio, () => passed++)
  for (let i = 0; i < 50; i++) pass(undefined)
  expect(passed).toBe(50 * ratio)
})
