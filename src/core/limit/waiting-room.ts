import { createAlarm } from '../time/alarm.ts'
import type { Clock } from '../time/clock.ts'
import { createFifo, type FifoItem } from '../queue/fifo.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { createHeap, type HeapItem } from '../queue/heap.ts'
import { onAbort } from '../shared/on-abort.ts'

/** One who waits, and is told once how that ended. */
export interface Waiter {
  grant: () => void
  /** It has waited for too long. */
  expire: () => void
  abort: () => void
}

/** How long one waits. */
interface Patience {
  signal?: AbortSignal | undefined
  timeoutMs: number
}

/** A line that one can wait in, first in, first out, with one timer for all; none unless someone's time can run out. */
export interface WaitingRoom<Who extends Waiter> {
  size: () => number
  /** O(log n). */
  join: (waiter: Who, patience: Patience) => void
  /** Takes the first one out. O(log n). */
  next: () => Who | undefined
}

interface Place<Who> extends FifoItem<Place<Who>>, HeapItem {
  readonly waiter: Who
  /** The instant, by the forward time, at which it has waited for too long. */
  readonly deadline: number
  stopListening: (() => void) | undefined
}

export function createWaitingRoom<Who extends Waiter>(clock: Clock): WaitingRoom<Who> {
  const time = createForwardTime(clock)
  const line = createFifo<Place<Who>>()
  const deadlines = createHeap<Place<Who>>((a, b) => a.deadline < b.deadline)
  const alarm = createAlarm(clock, onDue)

  function leave(place: Place<Who>): Who {
    line.remove(place)
    deadlines.remove(place)
    place.stopListening?.()
    setAlarm()
    return place.waiter
  }

  function setAlarm(): void {
    const next = deadlines.peek()
    if (next) alarm.set(time.toClock(next.deadline))
    else alarm.clear()
  }

  // The alarm was set for the first deadline: that has come, whatever a clock that was set back says.
  function onDue(): void {
    const now = Math.max(time.now(), deadlines.peek()!.deadline)
    for (let place = deadlines.peek(); place && place.deadline <= now; place = deadlines.peek())
      leave(place).expire()
  }

  return {
    size: () => line.size,
    join(waiter, { signal, timeoutMs }) {
      const place: Place<Who> = {
        waiter,
        deadline: time.now() + timeoutMs,
        stopListening: signal && onAbort(signal, () => leave(place).abort()),
        ahead: undefined,
        behind: undefined,
        place: -1,
      }
      line.push(place)
      if (place.deadline < Infinity) deadlines.push(place)
      setAlarm()
    },
    next: () => line.first && leave(line.first),
  }
}
