import type { Clock } from 'lull/core'

/** A clock for long runs: one timer costs a microsecond or two, even with thousands set. */
export interface FieldClock extends Clock {
  /** Steps from due time to due time until `isDone()`, `untilMs` or the last timer. Continuations run after each callback. */
  run: (isDone: () => boolean, untilMs: number) => Promise<void>
}

interface Timer {
  at: number
  callback: () => void
}

/** Immediates are queued in batches, because each turn of the event loop costs more than a step. */
const BATCH = 64

/** Both readings have fractions, as on real platforms. */
export function createFieldClock(startMs = 1234.567, wallMs = 1_800_000_000_123): FieldClock {
  let now = startMs
  // By due time, and at the same one in the order of their making.
  const timers: Timer[] = []

  /** Returns the index after all timers that are due at `at` or before. */
  function indexAfter(at: number): number {
    let low = 0
    let high = timers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (timers[middle]!.at <= at) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    now: () => now,
    wall: () => wallMs + (now - startMs),
    after(delayMs, callback) {
      const timer: Timer = { at: now + Math.max(delayMs, 0), callback }
      timers.splice(indexAfter(timer.at), 0, timer)
      return () => {
        let index = indexAfter(timer.at) - 1
        while (timers[index]?.at === timer.at && timers[index] !== timer) index--
        if (timers[index] === timer) timers.splice(index, 1)
      }
    },
    run(isDone, untilMs) {
      return new Promise((resolve, reject) => {
        let isOver = false
        let queued = 0

        function step(): void {
          queued--
          if (isOver) return
          const [next] = timers
          if (isDone() || next === undefined || next.at > untilMs) {
            isOver = true
            resolve()
            return
          }
          now = Math.max(now, timers.shift()!.at)
          try {
            next.callback()
          } catch (error) {
            isOver = true
            reject(error)
            return
          }
          if (queued === 0) fill()
        }

        function fill(): void {
          for (; queued < BATCH; queued++) setImmediate(step)
        }
        fill()
      })
    },
  }
}
