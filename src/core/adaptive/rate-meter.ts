import { check } from '../shared/check.ts'
import { adviseOnOptions } from '../shared/develop.ts'
import { createListeners } from '../shared/store.ts'
import { systemTimers, type Timers } from '../time/clock.ts'

/** A meter's state as JSON. It holds an age in place of an instant, because another process has another clock. */
export interface RateMeterState {
  /** The rate at the last event. */
  readonly ratePerSecond: number
  readonly ageMs: number
  readonly halfLifeMs: number
}

/** The methods are bound and may be detached. */
export interface RateMeter {
  /**
   * Adds `count` events (1 by default) at the clock's instant `at` (now by default).
   * @throws RangeError for a negative count or an argument that is not finite; TypeError for one that is not a number.
   */
  add: (count?: number, at?: number) => void
  /** Returns the events per second at the clock's instant `at` (now by default). @throws as `add`. */
  rate: (at?: number) => number
  toJSON: () => RateMeterState
  /** Calls `listener` at each `add`, but not for the decay in between. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

export interface RateMeterOptions {
  /**
   * Half-life of an event's weight, in ms: when the events change from 0 to N per second, the rate is N/2 after this time.
   * Choose it longer than the usual time between two events. @default that of `from`, or 1000
   */
  halfLifeMs?: number | undefined
  /** The result of another meter's `toJSON`; the time since then is ignored. */
  from?: RateMeterState | undefined
  /** @default systemClock */
  clock?: Timers | undefined
}

/**
 * Measures events per second, as an average in which an event's weight halves every `halfLifeMs`. O(1) in time and memory.
 *
 * An event adds ln 2 / half-life to the rate, so that steady events give their rate on average: slightly more right after an
 * event, slightly less before the next. At an instant before the last event, the rate is that of the last event. When the
 * clock is set back, or an event is added at an instant before the last one, the rate stays and decays from there.
 *
 * @throws RangeError for a half-life that is not above 0 and finite, or a `from` with negative or infinite numbers.
 * @see https://en.wikipedia.org/wiki/Exponential_smoothing
 */
export function createRateMeter(options: RateMeterOptions = {}): RateMeter {
  adviseOnOptions('createRateMeter', options)
  const { from, halfLifeMs = from?.halfLifeMs ?? 1000, clock = systemTimers } = options
  const { ratePerSecond = 0, ageMs = 0 } = from ?? {}
  for (const [name, value] of Object.entries({ halfLifeMs, ratePerSecond, ageMs })) {
    check(value >= 0, `${name} >= 0`, value)
    check(value < Infinity, `finite ${name}`, value)
  }
  check(halfLifeMs > 0, 'halfLifeMs > 0', halfLifeMs)
  const { subscribe, notify } = createListeners()
  let reading = clock.now()
  let last = reading - ageMs
  let rateThen = ratePerSecond

  const checkInstant = (at: number): void => check(at - at === 0, 'finite at', at, TypeError)
  const rateAt = (at: number): number => rateThen * 2 ** (Math.min(last - at, 0) / halfLifeMs)

  /** Reads the clock. If it was set back, the last event keeps its age. */
  function now(): number {
    const before = reading
    reading = clock.now()
    last -= Math.max(before - reading, 0)
    return reading
  }

  return {
    add(count = 1, at = now()) {
      check(count >= 0 && count < Infinity, 'finite count >= 0', count, TypeError)
      checkInstant(at)
      // Infinity would become NaN: its decay ends as Infinity · 0.
      rateThen = Math.min(rateAt(at) + ((count * Math.LN2) / halfLifeMs) * 1000, Number.MAX_VALUE)
      last = at
      notify()
    },
    rate(at = now()) {
      checkInstant(at)
      return rateAt(at)
    },
    toJSON: () => ({ ratePerSecond: rateThen, ageMs: Math.max(now() - last, 0), halfLifeMs }),
    subscribe,
  }
}
