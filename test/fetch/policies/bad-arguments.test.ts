import * as lull from 'lull/fetch'
import { expect, it } from 'vitest'

type Row = [policy: keyof typeof lull, given: unknown, error: Error | typeof TypeError | typeof RangeError]

const notAbove0 = [
  [0, 'got 0'],
  [-1, 'got -1'],
  [NaN, 'got NaN'],
  ['5', 'not a string, got 5'],
] as const
const range = (expected: string) => new RangeError(`Expected ${expected}`)

it.each<Row>([
  ...notAbove0.flatMap(([value, got]): Row[] => [
    ['priorities', { ageingMs: value }, range(`priorities ageingMs > 0, ${got}`)],
    ['queueTimeout', value, range(`queueTimeout ms > 0, ${got}`)],
  ]),
  ['retryBudget', { capacity: 0.5 }, range('retryBudget capacity >= 1, got 0.5')],
  ['retryBudget', { capacity: NaN }, range('retryBudget capacity >= 1, got NaN')],
  ['retryBudget', { deposit: -0.1 }, range('retryBudget deposit >= 0, got -0.1')],
  ['retryBudget', { reserveMs: 0 }, range('retryBudget reserveMs > 0, got 0')],
  ['retryBudget', { reserveMs: '1' }, range('retryBudget reserveMs > 0, not a string, got 1')],
  ['pageLifecycle', { hidden: 'stop' }, range('pageLifecycle hidden to be send or pause, got stop')],
  ['pageLifecycle', { offline: 'pause' }, range('pageLifecycle offline to be fail or wait, got pause')],
  ['legacyRateLimitFields', { maxPreemptiveMs: -1 }, range('maxPreemptiveMs >= 0, got -1')],
  ['holdSlot', 'body', new TypeError('Expected a function holdSlot until, not a string, got body')],
  ...[0, NaN, '8'].map((firstWindow): Row => ['learnPace', { firstWindow }, RangeError]),
  ...[5, undefined, { ratePerSecond: 5, burst: 1 }].map((rule): Row => ['limitRate', rule, TypeError]),
  ...[null, {}, 'open'].map((breaker): Row => ['circuitBreaker', breaker, TypeError]),
])('%s throws when it is made with %o', (policy, given, error) => {
  expect(() => (lull[policy] as (given: unknown) => unknown)(given)).toThrow(error)
})
