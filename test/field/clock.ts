import type { Clock } from 'lull/core'

/** A clock for long runs: one timer costs a microsecond or two, even with thousands set. */
export interface FieldClock extends Clock {
  /** Steps from due time to due time until `isDone()`, `untilMs` or the last timer. Continuations run after each callback. */
  run: (isDone: () => boolean, untilMs: number) => Promise<void>
}

interface Timer {
  at: number
  order: number
  callback: (() => void) | undefined
}

/** Immediates are queued in batches, because each turn of the event loop costs more than a step. */
const BATCH = 64

/** Both readings have fractions, as on real platforms. */
export function createFieldClock(startMs = 1234.567, wallMs = 1_800_000_000_123): FieldClock {
  let now = startMs
  let order = 0
  const heap: Timer[] = []

  const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

  function push(timer: Timer): void {
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(timer, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = timer
  }

  function pop(): Timer {
    const top = heap[0]!
    const last = heap.pop()!
    if (heap.length === 0) return top
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
    return top
  }

  return {
    now: () => now,
    wall: () => wallMs + (now - startMs),
    after(delayMs, callback) {
      const timer: Timer = { at: now + Math.max(delayMs, 0), order: order++, callback }
      push(timer)
      return () => {
        timer.callback = undefined
      }
    },
    run(isDone, untilMs) {
      return new Promise((resolve, reject) => {
        let isOver = false
        let queued = 0

        function step(): void {
          queued--
          if (isOver) return
          while (heap.length > 0 && heap[0]!.callback === undefined) pop()
          const next = heap[0]
          if (isDone() || next === undefined || next.at > untilMs) {
            isOver = true
            resolve()
            return
          }
          now = Math.max(now, pop().at)
          try {
            next.callback!()
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
