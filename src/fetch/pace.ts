import { exactWait } from '../core/rules/exact-wait.ts'
import { tokenBucket } from '../core/rules/token-bucket.ts'

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
export function createPace(limits: PaceLimits, now: number): Pace {
  let rule = tokenBucket(limits)
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, now)

  return {
    readyAt: (at) => at + exactWait(rule, cells, 0, 1, at),
    take: (at) => rule.book(cells, 0, 1, at),
    level: (at) => Math.max(rule.level(cells, 0, at), 0),
    configure(changes, at) {
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
    },
  }
}
