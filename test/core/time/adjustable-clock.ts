import type { Clock } from 'lull/core'
import type { ManualClock } from 'lull/testing'
import { createTestClock } from './clocks.ts'

/**
 * A test clock whose readings can be set back or forward, as a user or a time server does; timers are not
 * affected.
 */
export function createAdjustableClock(startMs = 0): Clock & {
  adjust: (ms: number) => void
  advance: ManualClock['advance']
  readonly pending: number
} {
  const manual = createTestClock(startMs)
  let byMs = 0
  return {
    ...manual,
    now: () => manual.now() + byMs,
    get pending() {
      return manual.pending
    },
    adjust(ms) {
      byMs += ms
    },
  }
}
