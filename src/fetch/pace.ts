/** A token bucket that is asked for instants: when the next token is there, rather than whether one is. */
export interface Pace {
  /** The earliest instant at which `take` may be called; it may be past. */
  readyAt: () => number
  /** Takes a token at `now`, an instant from `readyAt()` on. */
  take: (now: number) => void
  /** Tokens there at `now`: fractional, from 0 to the burst. */
  level: (now: number) => number
  /** Other limits from `now` on. The tokens that are missing stay missing, and come at the new rate. */
  configure: (limits: PaceLimits, now: number) => void
}

export interface PaceLimits {
  /** Above 0; Infinity is no limit. */
  readonly ratePerSecond: number
  /** From 1. */
  readonly burst: number
}

/** Starts full. At most `ratePerSecond · L + burst` are taken in any time L, in seconds. */
export function createPace({ ratePerSecond, burst }: PaceLimits): Pace {
  // What was missing of a full bucket at the instant `at`; it shrinks by `ratePerSecond`.
  let missing = 0
  let at = 0

  const msFor = (tokens: number): number => (ratePerSecond === Infinity ? 0 : (tokens * 1000) / ratePerSecond)
  const missingAt = (now: number): number =>
    missing === 0 || ratePerSecond === Infinity
      ? 0
      : Math.max(missing - ((now - at) * ratePerSecond) / 1000, 0)

  return {
    readyAt: () => (missing > burst - 1 ? at + msFor(missing - (burst - 1)) : -Infinity),
    take(now) {
      missing = missingAt(now) + 1
      at = now
    },
    level: (now) => Math.max(burst - missingAt(now), 0),
    configure(limits, now) {
      missing = missingAt(now)
      at = now
      ;({ ratePerSecond, burst } = limits)
    },
  }
}
