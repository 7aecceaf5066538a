import fc from 'fast-check'
import { createRateMeter, type RateMeterState } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock } from '../time/clocks.ts'
import { tries } from '../../laws/tries.ts'

const throughJson = (state: RateMeterState): RateMeterState =>
  JSON.parse(JSON.stringify(state)) as RateMeterState

it('is the sum of the events, each halved once per half-life of its age', () => {
  const event = fc.record({
    afterMs: fc.constantFrom(0, 0, 0.5, 1, 30, 999, 20_000),
    count: fc.constantFrom(0, 1, 1, 2.5, 100),
  })
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 60, size: 'max' }),
      fc.constantFrom(1, 50, 1000, 1e6),
      fc.constantFrom(-1e6, 0, 2 ** 41),
      (events, halfLifeMs, startMs) => {
        const clock = createManualClock(startMs)
        const meter = createRateMeter({ halfLifeMs, clock })
        const all: { at: number; count: number }[] = []
        for (const { afterMs, count } of events) {
          clock.advance(afterMs)
          all.push({ at: clock.now(), count })
          meter.add(count)
          const left = all.map(({ at, count }) => count * 2 ** ((at - clock.now()) / halfLifeMs))
          const right = left.reduce((sum, each) => sum + each)
          const rate = (right * 1000 * Math.LN2) / halfLifeMs
          // Numbers near 0 have less precision.
          expect(Math.abs(meter.rate() - rate)).toBeLessThanOrEqual(1e-9 * rate + 1e-300)
        }
      },
    ),
    tries(300),
  )
})
it('does not drift in a million events', () => {
  const meter = createRateMeter({ clock: createTestClock() })
  const rates: number[] = []
  for (let n = 1; n <= 1_000_000; n++) {
    meter.add(1, n * 0.25)
    if (n % 250_000 === 0) rates.push(meter.rate(n * 0.25))
  }
  // The sum of the infinite series.
  const right = (Math.LN2 * 1) / (1 - 2 ** (-0.25 / 1000))
  for (const rate of rates) expect(rate / right).toBeCloseTo(1, 11)
})
it('a clock that is set back keeps the rate of that moment, which decays from there', () => {
  const clock = createAdjustableClock(10_000)
  const meter = createRateMeter({ clock })
  meter.add(100)
  clock.advance(1000)
  const rate = meter.rate()
  clock.adjust(-5000)
  expect(meter.rate()).toBe(rate)
  clock.advance(1000)
  expect(meter.rate()).toBe(rate / 2)
  clock.adjust(-1)
  meter.add(0)
  expect(meter.rate()).toBe(rate / 2)
})
describe('toJSON', () => {
  it('returns the rate at the last event, its age and the half-life', () => {
    const clock = createTestClock(5000)
    const meter = createRateMeter({ halfLifeMs: 2000, clock })
    meter.add(10)
    clock.advance(700)
    expect(meter.toJSON()).toEqual({ ratePerSecond: meter.rate(5000), ageMs: 700, halfLifeMs: 2000 })
  })

  it.each([0, -12_345, 2 ** 41])('restores the rate in another process whose clock reads %s', (startMs) => {
    const clock = createTestClock(777)
    const meter = createRateMeter({ halfLifeMs: 2000, clock })
    meter.add(10)
    clock.advance(700)
    const otherClock = createTestClock(startMs)
    const other = createRateMeter({ from: throughJson(meter.toJSON()), clock: otherClock })
    for (const ms of [0, 1, 1000, 5000]) {
      clock.advance(ms)
      otherClock.advance(ms)
      expect(other.rate()).toBe(meter.rate())
      meter.add(2)
      other.add(2)
    }
    expect(other.toJSON()).toEqual(meter.toJSON())
  })

  it('gives the rate to a meter of another half-life', () => {
    const clock = createTestClock()
    const meter = createRateMeter({ halfLifeMs: 100, clock })
    meter.add(10)
    const other = createRateMeter({ from: meter.toJSON(), halfLifeMs: 1000, clock })
    expect(other.rate()).toBe(meter.rate())
    clock.advance(1000)
    expect(other.rate()).toBeCloseTo((10 * Math.LN2) / 0.1 / 2, 9)
  })

  it('never returns an age below 0', () => {
    const clock = createAdjustableClock(1000)
    const meter = createRateMeter({ clock })
    meter.add()
    clock.adjust(-500)
    expect(meter.toJSON().ageMs).toBe(0)
    clock.advance(10)
    expect(meter.toJSON().ageMs).toBe(10)
  })
})

it.each([
  [-1, 0, 'count'],
  [NaN, 0, 'count'],
  [Infinity, 0, 'count'],
  [1, NaN, 'at'],
  [1, Infinity, 'at'],
])('throws for %s at %s, naming the %s, and changes nothing', (count, at, name) => {
  const clock = createTestClock()
  const meter = createRateMeter({ clock })
  const listener = vi.fn()
  meter.subscribe(listener)
  expect(() => meter.add(count, at)).toThrow(RangeError)
  expect(() => meter.add(count, at)).toThrow(new RegExp(`\\b${name}\\b`))
  expect(meter.toJSON()).toEqual({ ratePerSecond: 0, ageMs: 0, halfLifeMs: 1000 })
  expect(listener).not.toHaveBeenCalled()
})
