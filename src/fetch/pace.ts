import { exactWait } from '../core/rules/exact-wait.ts'
import { tokenArithmetic } from '../core/rules/token-arithmetic.ts'

/** A token bucket that is asked for instants: when the next token is there, rather than whether one is. */
export interface Pace {
  /** The earliest instant, from `now` on, at which `take` may be called. */
  readyAt: (now: number) => number
  take: (now: number) => void
  /** Tokens there at `now`: fractional, from 0 to the burst. */
  level: (now: number) => number
  /** Other limits from `now` on. The tokens that are there stay, up to the burst. */
  configure: (limits: PaceLimits, now: number) => void
}

export interface PaceLimits {
  /** Above 0; Infinity is no limit. */
  readonly ratePerSecond: number
  /** From 1. */
  readonly burst: number
}

/** Starts full. At most `ratePerSecond · L + burst` are taken in any time L, in seconds. */
export function createPace({ ratePerSecond, burst }: PaceLimits, now: number): Pace {
  let arithmetic = tokenArithmetic(ratePerSecond, burst, burst)
  const cells = new Float64Array(arithmetic.cells)
  arithmetic.start(cells, 0, now)
  const level = (at: number): number => Math.max(arithmetic.level(cells, 0, at), 0)

  return {
    readyAt: (at) => at + exactWait(arithmetic, cells, 0, 1, at),
    take: (at) => arithmetic.book(cells, 0, 1, at),
    level,
    configure(limits, at) {
      const tokens = level(at)
      arithmetic = tokenArithmetic(limits.ratePerSecond, limits.burst, tokens)
      arithmetic.start(cells, 0, at)
    },
  }
}
