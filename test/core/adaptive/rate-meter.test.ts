import fc from 'fast-check'
import { createRateMeter, type RateMeterOptions, type RateMeterState } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock } from '../time/clocks.ts'
import { tries } from '../../laws/tries.ts'

/** `count` events in each ms of `ms`. */
function addSteadily(
  meter: ReturnType<typeof createRateMeter>,
  fromMs: number,
  ms: number,
  count: number,
): void {
  for (let at = fromMs + 1; at <= fromMs + ms; at++) meter.add(count, at)
}

const throughJson = (state: RateMeterState): RateMeterState =>
  JSON.parse(JSON.stringify(state)) as RateMeterState

describe('rate', () => {
  it('is 0 before the first event', () => {
    const clock = createTestClock()
    const meter = createRateMeter({ clock })
    expect([meter.rate(), meter.rate(1e9)]).toEqual([0, 0])
  })

  it.each([
    [1, 1 / 2],
    [2, 3 / 4],
    [3, 7 / 8],
    [20, 1],
  ])('has come, after %s half-lives of a steady rate, to %s of it', (halfLives, part) => {
    for (const halfLifeMs of [250, 1000, 60_000]) {
      const meter = createRateMeter({ halfLifeMs, clock: createTestClock() })
      addSteadily(meter, 0, halfLives * halfLifeMs, 3)
      const above = meter.rate(halfLives * halfLifeMs) / 3000
      // Right after an event it is above, before the next one below.
      expect(above).toBeGreaterThan(part)
      expect(above * 2 ** (-1 / halfLifeMs)).toBeLessThan(part)
    }
  })

  it('halves in each half-life without events', () => {
    const clock = createTestClock(123)
    const meter = createRateMeter({ halfLifeMs: 400, clock })
    meter.add(1000)
    const rate = meter.rate()
    expect(rate).toBeCloseTo((1000 * Math.LN2) / 0.4, 9)
    clock.advance(400)
    expect(meter.rate()).toBe(rate / 2)
    clock.advance(800)
    expect(meter.rate()).toBe(rate / 8)
    expect(meter.rate(123)).toBe(rate)
  })

  it('averages to the true rate, however the events are spaced', () => {
    for (const everyMs of [1, 7, 100, 500]) {
      const meter = createRateMeter({ clock: createTestClock() })
      for (let at = 0; at <= 40_000; at += everyMs) meter.add(1, at)
      // The average over the time between two events, which is where the rate is like between all others.
      const last = Math.floor(40_000 / everyMs) * everyMs
      const rates = Array.from({ length: 1000 }, (_, step) =>
        meter.rate(last + ((step + 0.5) * everyMs) / 1000),
      )
      const average = rates.reduce((sum, rate) => sum + rate) / rates.length
      expect(average / (1000 / everyMs)).toBeCloseTo(1, 6)
    }
  })

  it('goes over to another rate as if it had begun there', () => {
    const meter = createRateMeter({ clock: createTestClock() })
    addSteadily(meter, 0, 30_000, 1)
    addSteadily(meter, 30_000, 1000, 5)
    expect(meter.rate(31_000) / 1000).toBeCloseTo((1 + 5) / 2, 2)
    addSteadily(meter, 31_000, 30_000, 0)
    expect(meter.rate(61_000)).toBeCloseTo(0, 2)
  })

  it('is the sum of the events, each halved as often as its age is a half-life', () => {
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
            const right = all.reduce(
              (sum, { at, count }) => sum + count * 2 ** ((at - clock.now()) / halfLifeMs),
              0,
            )
            expect(meter.rate() / ((right * 1000 * Math.LN2) / halfLifeMs || 1)).toBeCloseTo(
              right > 0 ? 1 : 0,
              9,
            )
          }
        },
      ),
      tries(300),
    )
  })
})

describe('stability', () => {
  it('does not drift in a million events', () => {
    const meter = createRateMeter({ clock: createTestClock() })
    const rates: number[] = []
    for (let n = 1; n <= 1_000_000; n++) {
      meter.add(1, n * 0.25)
      if (n % 250_000 === 0) rates.push(meter.rate(n * 0.25))
    }
    // The sum of the series that goes on for ever.
    const right = (Math.LN2 * 1) / (1 - 2 ** (-0.25 / 1000))
    for (const rate of rates) expect(rate / right).toBeCloseTo(1, 11)
  })

  it('counts a million events at one instant', () => {
    const clock = createTestClock(2 ** 41)
    const meter = createRateMeter({ clock })
    for (let n = 0; n < 1_000_000; n++) meter.add()
    expect(meter.rate() / (1e6 * Math.LN2)).toBeCloseTo(1, 9)
  })

  it('forgets everything in a gap of any length, and goes on', () => {
    const meter = createRateMeter({ clock: createTestClock() })
    meter.add(1e6, 0)
    expect(meter.rate(1e300)).toBe(0)
    meter.add(1, 1e300)
    expect(meter.rate(1e300)).toBe(Math.LN2)
  })

  it('stays finite whatever is counted, and decays from there', () => {
    const meter = createRateMeter({ halfLifeMs: 1e-3, clock: createTestClock() })
    for (let n = 0; n < 5; n++) meter.add(Number.MAX_VALUE, 0)
    expect(meter.rate(0)).toBe(Number.MAX_VALUE)
    expect(meter.rate(1e-3)).toBe(Number.MAX_VALUE / 2)
    expect(meter.rate(1e6)).toBe(0)
    meter.add(0, 1e6)
    expect(meter.rate(1e6)).toBe(0)
  })
})

describe('a clock that is set back', () => {
  it('leaves the rate as it is at that moment, and lets it decay from there', () => {
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

  it('adds to what there is', () => {
    const clock = createAdjustableClock(10_000)
    const meter = createRateMeter({ clock })
    meter.add(100)
    clock.adjust(-5000)
    meter.add(100)
    expect(meter.rate()).toBeCloseTo(200 * Math.LN2, 9)
    clock.advance(1000)
    expect(meter.rate()).toBeCloseTo(100 * Math.LN2, 9)
  })

  it('is nothing that asking for the rate at an earlier instant brings about', () => {
    const clock = createTestClock(10_000)
    const meter = createRateMeter({ clock })
    meter.add(100)
    expect(meter.rate(0)).toBe(meter.rate())
    clock.advance(1000)
    expect(meter.rate()).toBeCloseTo(50 * Math.LN2, 9)
  })

  it('is nothing that an event of a later instant brings about', () => {
    const clock = createTestClock()
    const meter = createRateMeter({ clock })
    meter.add(100, 5000)
    expect(meter.rate()).toBe(meter.rate(5000))
    expect(meter.rate(6000)).toBe(meter.rate(5000) / 2)
    expect(meter.toJSON().ageMs).toBe(0)
  })
})

describe('toJSON', () => {
  it('tells the rate at the last event, its age and the half-life', () => {
    const clock = createTestClock(5000)
    const meter = createRateMeter({ halfLifeMs: 2000, clock })
    meter.add(10)
    clock.advance(700)
    expect(meter.toJSON()).toEqual({ ratePerSecond: meter.rate(5000), ageMs: 700, halfLifeMs: 2000 })
  })

  it.each([0, -12_345, 2 ** 41])('goes on in another process, where the clock reads %s', (startMs) => {
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

  it('can be taken before the first event, and at once again', () => {
    const clock = createTestClock()
    const state = createRateMeter({ clock }).toJSON()
    expect(state).toEqual({ ratePerSecond: 0, ageMs: 0, halfLifeMs: 1000 })
    expect(createRateMeter({ from: throughJson(state), clock }).toJSON()).toEqual(state)
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

  it('never tells an age below 0', () => {
    const clock = createAdjustableClock(1000)
    const meter = createRateMeter({ clock })
    meter.add()
    clock.adjust(-500)
    expect(meter.toJSON().ageMs).toBe(0)
    clock.advance(10)
    expect(meter.toJSON().ageMs).toBe(10)
  })
})

it('tells listeners of each event, after it counts', () => {
  const meter = createRateMeter({ clock: createTestClock() })
  const rates: number[] = []
  const unsubscribe = meter.subscribe(() => rates.push(meter.rate()))
  meter.add()
  meter.add(2)
  meter.rate()
  unsubscribe()
  meter.add()
  expect(rates.map((rate) => rate / Math.LN2)).toEqual([1, 3])
})

it('has methods that may be taken off it', () => {
  const { add, rate, toJSON } = createRateMeter({ clock: createTestClock() })
  add()
  expect(rate()).toBe(toJSON().ratePerSecond)
})

describe('bad arguments', () => {
  const state = { ratePerSecond: 1, ageMs: 1, halfLifeMs: 1 }

  it.each<[RateMeterOptions, string]>([
    [{ halfLifeMs: 0 }, 'halfLifeMs'],
    [{ halfLifeMs: -1 }, 'halfLifeMs'],
    [{ halfLifeMs: NaN }, 'halfLifeMs'],
    [{ halfLifeMs: Infinity }, 'halfLifeMs'],
    [{ from: { ...state, halfLifeMs: 0 } }, 'halfLifeMs'],
    [{ from: { ...state, ratePerSecond: -1 } }, 'ratePerSecond'],
    [{ from: { ...state, ratePerSecond: Infinity } }, 'ratePerSecond'],
    [{ from: { ...state, ageMs: -1 } }, 'ageMs'],
    [{ from: throughJson({ ...state, ageMs: NaN }) }, 'ageMs'],
  ])('refuses %o, naming what is wrong', (options, name) => {
    expect(() => createRateMeter(options)).toThrow(RangeError)
    expect(() => createRateMeter(options)).toThrow(new RegExp(`\\b${name}\\b`))
  })

  it.each([
    [-1, 0, 'count'],
    [NaN, 0, 'count'],
    [Infinity, 0, 'count'],
    [1, NaN, 'at'],
    [1, Infinity, 'at'],
  ])('refuses to add %s at %s, naming the %s, and changes nothing', (count, at, name) => {
    const clock = createTestClock()
    const meter = createRateMeter({ clock })
    const listener = vi.fn()
    meter.subscribe(listener)
    expect(() => meter.add(count, at)).toThrow(RangeError)
    expect(() => meter.add(count, at)).toThrow(new RegExp(`\\b${name}\\b`))
    expect(meter.toJSON()).toEqual({ ratePerSecond: 0, ageMs: 0, halfLifeMs: 1000 })
    expect(listener).not.toHaveBeenCalled()
  })

  it('refuses to tell the rate at no instant', () => {
    const meter = createRateMeter({ clock: createTestClock() })
    expect(() => meter.rate(NaN)).toThrow(/\bat\b.*NaN/)
  })
})
