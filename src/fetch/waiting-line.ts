import { createHeap, type Heap } from '../core/heap.ts'
import type { Call } from './bucket-types.ts'

/** The calls of a bucket that wait: queued ones for their turn, sleeping ones until they are queued again. */
export interface WaitingLine {
  queued: () => number
  sleeping: () => number
  /** When the next sleeper wakes: Infinity if none sleeps, or none by itself. */
  wakesAt: () => number
  /** At the place that its arrival gives it among those of its priority. O(log n), as all of these. */
  enqueue: (call: Call) => void
  /** @param until Infinity: until all are woken. */
  sleep: (call: Call, until: number) => void
  /** Queues the sleepers whose time has come. */
  wake: (now: number) => void
  /** Queues those that sleep without end. */
  wakeEndless: () => void
  /** The queued call whose turn it is: the first of the highest priority, where each `agingMs` of waiting is one more. R76 */
  first: (now: number, agingMs: number) => Call | undefined
  /** The one that has waited longest, of all or of the lowest priority that there is. */
  oldest: (ofLowest: boolean) => Call | undefined
  remove: (call: Call) => void
  /** All queued calls, in no order. */
  all: () => Call[]
  /** Takes out everyone. */
  clear: () => Call[]
}

export function createWaitingLine(): WaitingLine {
  // As in PRIORITIES.
  const [high, auto, low] = [byArrival(), byArrival(), byArrival()]
  const queues = [high, auto, low]
  const sleepers = createHeap<Call>((a, b) => a.wakesAt < b.wakesAt)

  const heads = (): Call[] => queues.flatMap((queue) => queue.peek() ?? [])

  function enqueue(call: Call): void {
    call.phase = 'queued'
    queues[call.rank]!.push(call)
  }

  function wakeUp(call: Call): void {
    sleepers.remove(call)
    enqueue(call)
  }

  return {
    queued: () => high.size() + auto.size() + low.size(),
    sleeping: () => sleepers.size(),
    wakesAt: () => sleepers.peek()?.wakesAt ?? Infinity,
    enqueue,
    sleep(call, until) {
      call.phase = 'sleeping'
      call.wakesAt = until
      sleepers.push(call)
    },
    wake(now) {
      for (let call = sleepers.peek(); call && call.wakesAt <= now; call = sleepers.peek()) wakeUp(call)
    },
    wakeEndless() {
      for (const call of sleepers.all()) if (call.wakesAt === Infinity) wakeUp(call)
    },
    first(now, agingMs) {
      const rankOf = ({ rank, since }: Call): number => rank - Math.floor((now - since) / agingMs)
      return heads().sort((a, b) => rankOf(a) - rankOf(b) || a.arrival - b.arrival)[0]
    },
    oldest: (ofLowest) => (ofLowest ? heads().at(-1) : heads().sort((a, b) => a.arrival - b.arrival)[0]),
    remove(call) {
      for (const queue of queues) queue.remove(call)
      sleepers.remove(call)
    },
    all: () => queues.flatMap((queue) => queue.all()),
    clear() {
      const all: Call[] = []
      for (const heap of [...queues, sleepers])
        for (let call = heap.pop(); call; call = heap.pop()) all.push(call)
      return all
    },
  }
}

const byArrival = (): Heap<Call> => createHeap((a, b) => a.arrival < b.arrival)
