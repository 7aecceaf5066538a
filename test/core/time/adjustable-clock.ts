import { createTestClock } from './clocks.ts'

/**
 * A test clock whose readings can be set back or forward, as a user or a time server does; timers are not
 * affected.
 */
export function createAdjustableClock(startMs = 0) {
  const manual = createTestClock(startMs)
  let byMs = 0
  return {
    ...manual,
    now: () => manual.now() + byMs,
    get pending() {
      return manual.pending
    },
    adjust: (ms: number) => void (byMs += ms),
  }
}
