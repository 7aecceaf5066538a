import type { Clock } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, onTestFinished } from 'vitest'

/** A manual clock; the test fails if a timer is left at its end. */
export function createTestClock(startMs = 0): ManualClock {
  const clock = createManualClock(startMs)
  onTestFinished(() => expect(clock.pending).toBe(0))
  return clock
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

/** A clock of a main thread that can be busy: time passes, and timers due meanwhile fire later. */
export function createBusyClock() {
  const manual = createTestClock()
  const late: (() => void)[] = []
  let isBusy = false

  function callLate(): void {
    isBusy = false
    for (let callback = late.shift(); callback; callback = late.shift()) callback()
  }

  const clock: Clock = {
    now: manual.now,
    wall: manual.wall,
    after(delayMs, callback) {
      const cancel = manual.after(delayMs, () => {
        if (isBusy) late.push(callback)
        else callback()
      })
      return () => {
        cancel()
        const index = late.indexOf(callback)
        if (index >= 0) late.splice(index, 1)
      }
    },
  }
  return {
    clock,
    advance: (ms: number) => {
      callLate()
      manual.advance(ms)
    },
    block: (ms: number) => {
      isBusy = true
      manual.advance(ms)
    },
  }
}
