/** A token bucket that is asked for instants: when the next token is there, rather than whether one is. */
export interface Pace {
  /** The earliest instant at which `take` may be called; it may be past. */
  readyAt: () => number
  /** Takes a token at `now`, an instant from `readyAt()` on. */
  take: (now: number) => void
  /** Tokens there at `now`: fractional, from 0 to the burst. */
  level: (now: number) => number
}

/**
 * Kept as the one instant at which the bucket is full again (the form known as GCRA): a token is there from
 * `(burst − 1) / rate` before it. So at most `rate · L + burst` are taken in any time L.
 *
 * @param limits tells the limits as they are now; the rate is above 0, and the burst at least 1.
 */
export function createPace(limits: () => { readonly ratePerSecond: number; readonly burst: number }): Pace {
  let fullAt = -Infinity

  /** How long `tokens` take to come, in ms. */
  function msFor(tokens: number): number {
    const { ratePerSecond } = limits()
    return ratePerSecond === Infinity ? 0 : (tokens * 1000) / ratePerSecond
  }

  return {
    readyAt: () => fullAt - msFor(limits().burst - 1),
    take(now) {
      fullAt = Math.max(fullAt, now) + msFor(1)
    },
    level(now) {
      const { ratePerSecond, burst } = limits()
      const missing = fullAt > now ? ((fullAt - now) * ratePerSecond) / 1000 : 0
      return Math.max(burst - missing, 0)
    },
  }
}
