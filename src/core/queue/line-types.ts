import type { Place } from './place.ts'
import type { Rule } from '../limit/rules/rule.ts'

/** One limit, and who waits for it. Nobody takes before those who came earlier. */
export interface Line<Changes> {
  rule: () => Rule<Changes>
  /** How many wait; reservations do not count. */
  waiting: () => number
  take: (cost: number, at: number) => boolean
  /** How long `cost` would wait as the last in line; that long is enough. 0: not at all. Infinity: for ever. */
  waitMs: (cost: number, at: number) => number
  /** At least how long; exact if that is told in O(1), Infinity if it is for ever. */
  leastMs: (cost: number, at: number) => number
  level: (at: number) => number
  /** Stands `place` in line, as the last. The wait must not be for ever. */
  join: (place: Place, at: number) => void
  /** Takes `place` out, or gives back what it took, but for what later reservations have been promised. */
  leave: (place: Place, at: number) => void
  /** With someone waiting: lets those go whose turn has come, and answers when the next one's is. */
  serve: (at: number) => number
  /** With someone waiting: when the first has its turn, as the line has time, which goes back with the clock. */
  turnAt: () => number
  /** Other limits from `at` on. */
  reconfigure: (changes: Changes, at: number) => void
  /** Tells who waits, first to last, and until when as it looks now. Who is told may leave. */
  each: (at: number, tell: (place: Place, turnAt: number) => void) => void
}
