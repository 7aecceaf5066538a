import { createAlarm } from '../core/alarm.ts'
import type { BucketParts } from './bucket-parts.ts'
import { opensAtFor, refuseLongWaits } from './long-waits.ts'
import { send } from './send.ts'

/**
 * Makes what sends all that may go now, and sets the alarm for the rest. `isFresh`: that is not a timer's doing. The alarm is
 * then set anew, for browsers hold back a timer that was set by a timer that was set by a timer. R126
 *
 * @param opened tells those in other buckets who wait for this one's gate.
 */
export function createPump(parts: BucketParts, opened: () => void): (isFresh?: boolean) => void {
  const { host, line, flow, keeper, self } = parts
  const { time } = host
  let wasWaiting = false
  let wakesAt = Infinity

  const alarm = createAlarm(host.settings.clock, (at) => {
    // The clock does not move with the timers; so they tell the time.
    if (at === Infinity) time.reach(wakesAt)
    pump()
  })

  /** Answers when the next call may go. */
  function sendAll(now: number): number {
    for (;;) {
      const call = line.first(now, host.settings.agingMs)
      const at = call ? parts.nextAt(call, now) : Infinity
      if (!call || at > now) return at
      line.remove(call)
      send(parts, call, now)
    }
  }

  function pump(isFresh = false): void {
    const isWaiting = line.queued() + line.sleeping() > 0
    // Most of the time there is nothing to do.
    if (!isWaiting && !wasWaiting && !keeper.isShut && !parts.hasWaiters()) return host.changed()
    wasWaiting = isWaiting
    const now = time.now()
    line.wake(now)
    const isClosed = keeper.look(now)
    const head = line.first(now, host.settings.agingMs)
    const opening = head ? opensAtFor(parts, head) : -Infinity
    if (opening > parts.judgedAt) {
      parts.judgedAt = opening
      refuseLongWaits(parts, now)
    }
    const shownAt = isClosed && host.isWatched() ? flow.gate.opensAt : Infinity
    wakesAt = Math.min(sendAll(now), shownAt, line.wakesAt())
    if (isFresh || wakesAt === Infinity) alarm.clear()
    if (wakesAt < Infinity) alarm.set(time.toClock(wakesAt))
    host.traffic.waits(self, line.queued() + line.sleeping() > 0)
    opened()
    host.changed()
  }

  return pump
}
