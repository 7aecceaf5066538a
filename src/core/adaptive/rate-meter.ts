import { checkAbove, checkFinite, checkFrom } from '../shared/check.ts'
import { adviseOnOptions } from '../shared/develop.ts'
import { createListeners } from '../shared/store.ts'
import { systemTimers, type Timers } from '../time/clock.ts'

/** A meter's state as JSON: with an age, not an instant, since another process has another clock. */
export interface RateMeterState {
  /** The rate at the last event. */
  readonly ratePerSecond: number
  readonly ageMs: number
  readonly halfLifeMs: number
}

/** Its methods are bound, so they may be taken off it. */
export interface RateMeter {
  /**
   * `count` events have occurred at the clock's instant `at`: now, if it is absent.
   * @throws RangeError for a count that is negative, or an argument that is not finite; TypeError for one that is no number.
   */
  add: (count?: number, at?: number) => void
  /** Events per second at the clock's instant `at`: now, if it is absent. @throws as `add`. */
  rate: (at?: number) => number
  toJSON: () => RateMeterState
  /** Calls `listener` at each `add`; the function returned stops that. The decay in between calls nobody. */
  subscribe: (listener: () => void) => () => void
}

export interface RateMeterOptions {
  /**
   * How quickly the rate follows: from 0 to N events per second it has come to N/2 after so many ms, to 3N/4 after
   * twice as many. Longer than the time between two `add` as a rule. @default that of `from`, or 1000
   */
  halfLifeMs?: number | undefined
  /** What another meter's `toJSON` returned; the time since then does not count. */
  from?: RateMeterState | undefined
  /** @default systemClock */
  clock?: Timers | undefined
}

/**
 * Measures how many events per second there are, by an average in which an event's weight halves every `halfLifeMs`.
 * O(1) in time and memory.
 *
 * An event adds ln 2 / half-life to the rate, which is what makes the sum of all weights that of a steady rate. Right
 * after an event the rate is above that average, before the next one below it. At an instant before that of the last event
 * the rate is what it was at that. When the clock is set back the rate is as it was, and decays from there.
 *
 * @throws RangeError for a half-life that is not above 0 and finite, or a `from` with numbers that cannot be.
 * @see https://en.wikipedia.org/wiki/Exponential_smoothing
 */
export function createRateMeter(options: RateMeterOptions = {}): RateMeter {
  adviseOnOptions('createRateMeter', options)
  const { from, halfLifeMs = from?.halfLifeMs ?? 1000, clock = systemTimers } = options
  const { ratePerSecond = 0, ageMs = 0 } = from ?? {}
  for (const [name, value] of Object.entries({ halfLifeMs, ratePerSecond, ageMs })) {
    checkFrom(0, name, value)
    checkFinite(name, value)
  }
  checkAbove(0, 'halfLifeMs', halfLifeMs)
  const { subscribe, notify } = createListeners()
  let reading = clock.now()
  let last = reading - ageMs
  let rateThen = ratePerSecond

  const rateAt = (at: number): number => rateThen * 2 ** (Math.min(last - at, 0) / halfLifeMs)

  /** The clock's reading. If it was set back the last event is as old as it was. */
  function now(): number {
    const before = reading
    reading = clock.now()
    last -= Math.max(before - reading, 0)
    return reading
  }

  return {
    add(count = 1, at = now()) {
      checkFinite('count', count)
      checkFrom(0, 'count', count)
      checkFinite('at', at)
      // Infinity would become NaN when it has decayed to the last bit.
      rateThen = Math.min(rateAt(at) + ((count * Math.LN2) / halfLifeMs) * 1000, Number.MAX_VALUE)
      last = at
      notify()
    },
    rate(at = now()) {
      checkFinite('at', at)
      return rateAt(at)
    },
    toJSON: () => ({ ratePerSecond: rateThen, ageMs: Math.max(now() - last, 0), halfLifeMs }),
    subscribe,
  }
}
