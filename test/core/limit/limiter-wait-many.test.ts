import { createWaitingLimiter, fixedWindow, tokenBucket } from 'lull/core'
import { expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { everyRule } from './every-rule.ts'
import { settled } from '../shared/promises.ts'

it.each(everyRule)(
  '%s asks its rule no more often for the thousands in line, and a booking among them',
  (_, make) => {
    const rule = make(1000, 1)
    let calls = 0
    const counted =
      <Args extends unknown[], Result>(method: (...args: Args) => Result) =>
      (...args: Args): Result => {
        calls++
        return method(...args)
      }
    const clock = createTestClock()
    const limiter = createWaitingLimiter(
      { ...rule, book: counted(rule.book), waitMs: counted(rule.waitMs) },
      { clock },
    )
    const wait = (): void => void limiter.wait().catch(() => {})
    for (let i = 0; i < 2500; i++) wait()
    limiter.reserve()
    for (let i = 0; i < 2500; i++) wait()
    calls = 0
    for (let i = 0; i < 100; i++) {
      clock.advance(1)
      wait()
    }
    expect(calls).toBeLessThan(100 * 50)
    limiter[Symbol.dispose]()
  },
)

it.each([
  ['a bucket', tokenBucket({ ratePerSecond: 1000, burst: 100 }), 100_000],
  ['a window', fixedWindow({ limit: 100, windowMs: 100 }), 20_000],
])('lets all go in order, however many: %s', async (_, rule, count) => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter<never>(rule, { clock })
  const order: number[] = []
  for (let i = 0; i < count; i++) void limiter.wait().then(() => order.push(i))
  expect(limiter.snapshot().waiting).toBe(count - 100)
  clock.advance(count)
  await settled()
  expect(order).toHaveLength(count)
  expect(order.every((who, index) => who === index)).toBe(true)
})
