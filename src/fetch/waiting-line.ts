import { createHeap } from '../core/heap.ts'
import type { Call } from './call.ts'

/** The calls of a bucket that wait: queued ones for their turn, sleeping ones until they are queued again. */
export interface WaitingLine {
  readonly queued: number
  readonly sleeping: number
  /** When the next sleeper wakes: Infinity if none sleeps. */
  readonly wakesAt: number
  /** At the place that its arrival gives it. O(log n), as all of these. */
  enqueue: (call: Call) => void
  sleep: (call: Call, until: number) => void
  /** Queues the sleepers whose time has come. */
  wake: (now: number) => void
  /** Takes out the queued call that came first. */
  next: () => Call | undefined
  remove: (call: Call) => void
  /** Takes out everyone. */
  clear: () => Call[]
}

export function createWaitingLine(): WaitingLine {
  const queue = createHeap<Call>((a, b) => a.arrival < b.arrival)
  const sleepers = createHeap<Call>((a, b) => a.wakesAt < b.wakesAt)

  function enqueue(call: Call): void {
    call.phase = 'queued'
    queue.push(call)
  }

  return {
    get queued() {
      return queue.size
    },
    get sleeping() {
      return sleepers.size
    },
    get wakesAt() {
      return sleepers.peek()?.wakesAt ?? Infinity
    },
    enqueue,
    sleep(call, until) {
      call.phase = 'sleeping'
      call.wakesAt = until
      sleepers.push(call)
    },
    wake(now) {
      for (let call = sleepers.peek(); call && call.wakesAt <= now; call = sleepers.peek()) {
        sleepers.remove(call)
        enqueue(call)
      }
    },
    next: queue.pop,
    remove(call) {
      queue.remove(call)
      sleepers.remove(call)
    },
    clear() {
      const all: Call[] = []
      for (const heap of [queue, sleepers])
        for (let call = heap.pop(); call; call = heap.pop()) all.push(call)
      return all
    },
  }
}
