import { createKeyedLimiter, createLimiter, slidingWindowCounter, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { exactWait, type Rule } from '../../../src/core/limit/rules/rule.ts'
import { createTestClock } from '../time/clocks.ts'
import { everyRule } from './every-rule.ts'

/** What a rule says of the limit at `offset`, and does to it, from 1000 on; at last the clock is set back. */
function play(rule: Rule, cells: Float64Array, offset: number): unknown[] {
  rule.start(cells, offset, 1000)
  const said: unknown[] = []
  for (const [at, cost] of [
    [1000, 1],
    [1000, 2],
    [1150, 3],
    [1230, 1],
    [1700, 4],
    [1700, 1],
    [1650, 1],
    [1800, 2],
  ] as const) {
    said.push(rule.isFresh?.(cells, offset, at), rule.level(cells, offset, at))
    said.push(rule.waitMs(cells, offset, cost, at), exactWait(rule, cells, offset, cost, at))
    take(rule, cells, offset, cost, at)
  }
  rule.book(cells, offset, 2, 1900)
  rule.book(cells, offset, -1, 1900)
  rule.book(cells, offset, 0, 1850)
  return [...said, rule.level(cells, offset, 1900), rule.isFresh?.(cells, offset, 1e6)]
}

/** Takes as a limiter does. */
function take(rule: Rule<never>, cells: Float64Array, offset: number, cost: number, at: number): void {
  const isAllowed = rule.waitMs(cells, offset, cost, at) === 0
  if (isAllowed || at < cells[offset + rule.takenAtCell]!) rule.book(cells, offset, isAllowed ? cost : 0, at)
}

describe.each(everyRule)('%s', (_, make) => {
  it('decides among the cells of others as it does alone, whatever was there before, and leaves theirs', () => {
    const rule = make(10, 4)
    const alone = new Float64Array(rule.cells)
    const among = new Float64Array(3 * rule.cells).fill(7)
    expect(play(rule, among, rule.cells)).toEqual(play(rule, alone, 0))
    expect(among.slice(rule.cells, 2 * rule.cells)).toEqual(
      // Of a log, what lies beyond its entries is not looked at.
      alone.map((cell, index) => (cell === 0 && among[rule.cells + index] === 7 ? 7 : cell)),
    )
    for (const others of [among.slice(0, rule.cells), among.slice(2 * rule.cells)])
      expect(others).toEqual(new Float64Array(rule.cells).fill(7))
  })

  it('is as good as new when what was taken has come back, and not before', () => {
    const keyed = createKeyedLimiter(make(10, 4), { clock: createTestClock() })
    keyed.allow('a', 4, 1000)
    keyed.allow('b', 1, 1010)
    expect(keyed.size).toBe(2)
    keyed.allow('b', 1, 1e6)
    expect(keyed.size).toBe(1)
  })

  it('tells how long to wait after the clock was set back without moving anything', () => {
    const rule = make(10, 4)
    const cells = new Float64Array(rule.cells)
    rule.start(cells, 0, 1000)
    take(rule, cells, 0, 4, 1000)
    const before = cells.slice()
    expect(exactWait(rule, cells, 0, 1, 500)).toBeGreaterThan(0)
    expect(cells).toEqual(before)
  })

  it('never allows a cost above its capacity, by however little', () => {
    const limiter = createLimiter(make(1000, 1), { clock: createTestClock(5000) })
    const cost = 1 + 1e-10
    expect(limiter.decide(cost)).toMatchObject({ allowed: false, retryAfterMs: Infinity })
    expect(limiter.allow(1)).toBe(true)
  })
})

it('a token bucket that does not begin full is as good as new when its level is the same, and no fuller', () => {
  const rule = tokenBucket({ ratePerSecond: 10, burst: 4, initial: 1 })
  const keyed = createKeyedLimiter(rule, { clock: createTestClock() })
  keyed.allow('a', 1, 0)
  keyed.allow('b', 0, 50)
  expect(keyed.size).toBe(2)
  // A fuller one is not forgotten: it would lose tokens.
  keyed.allow('c', 0, 10_000)
  expect([keyed.size, keyed.peek('a', 4, 10_000).allowed]).toEqual([3, true])
})

it('slidingWindowCounter tells how long to wait in a window that nothing was taken in', () => {
  const rule = slidingWindowCounter({ limit: 4, windowMs: 400 })
  const cells = new Float64Array(rule.cells)
  rule.start(cells, 0, 800)
  take(rule, cells, 0, 4, 900)
  // A fourth of the estimate has to go before there is room for one, all of it for four.
  expect([1, 2, 4].map((cost) => rule.waitMs(cells, 0, cost, 1210))).toEqual([0, 90, 290])
})

it('slidingWindowCounter has its next window begin where the clock that was set back has it begin', () => {
  const rule = slidingWindowCounter({ limit: 4, windowMs: 400 })
  const cells = new Float64Array(rule.cells)
  rule.start(cells, 0, 1000)
  take(rule, cells, 0, 2, 1000)
  // The window began at 800; now it begins at 750, and the next one at 1150.
  take(rule, cells, 0, 1, 950)
  take(rule, cells, 0, 0, 1160)
  expect([1160, 1350, 1549].map((at) => rule.level(cells, 0, at))).toEqual([2, 3, 4])
})
