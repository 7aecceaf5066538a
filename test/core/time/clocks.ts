import type { Clock } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, onTestFinished } from 'vitest'

/** A manual clock; the test fails if a timer is left at its end. */
export function createTestClock(startMs = 0): ManualClock {
  const clock = createManualClock(startMs)
  onTestFinished(() => expect(clock.pending).toBe(0))
  return clock
}

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

/** Wraps `clock` to record the delay of each timer set, and of each cancelled before it was due. */
export function recordTimers(clock: Clock) {
  const delays: number[] = []
  const cancelled: number[] = []
  const recording: Clock = {
    ...clock,
    after(delayMs, callback) {
      delays.push(delayMs)
      let isDone = false
      const cancel = clock.after(delayMs, () => {
        isDone = true
        callback()
      })
      return () => {
        if (!isDone) cancelled.push(delayMs)
        isDone = true
        cancel()
      }
    },
  }
  return { clock: recording, delays, cancelled }
}
