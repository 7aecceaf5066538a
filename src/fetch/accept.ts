import { createAlarm } from '../core/alarm.ts'
import { onAbort } from '../core/on-abort.ts'
import { report } from '../core/report.ts'
import type { BucketParts } from './bucket-parts.ts'
import type { Call } from './bucket-types.ts'
import { PRIORITIES } from './call.ts'
import { abort, createRefusal, refuse, refuseFor } from './end.ts'
import { opensAtFor, whyNotWait } from './long-waits.ts'
import { send } from './send.ts'

/** Takes a call in: sends it at once if it may go, else queues or refuses it. */
export function accept(parts: BucketParts, call: Call): void {
  const { key, host, line, toll, nextAt } = parts
  const { maxQueue, overflow, keepalive, maxQueueTimeMs, totalTimeoutMs } = host.settings
  const now = host.time.now()
  const { arrival, signal, options } = call
  const { isKeepalive } = call.source
  call.since = now
  call.isBypass ||= isKeepalive && keepalive === 'bypass'
  parts.keeper.look(now)
  host.tell?.(key, { type: call.isBypass ? 'bypass' : 'enqueue', call: arrival })
  // A listener of events may have aborted it.
  if (signal?.aborted) return abort(parts, call)
  if (signal) call.release.push(onAbort(signal, () => abort(parts, call)))
  const refusal = toll.enter(call)
  if (refusal) return refuse(parts, call, 'breaker', refusal.error)
  if (host.disposal.aborted) return refuse(parts, call, 'disposed', host.disposal.reason)
  if (call.isOver) return
  startTimer(parts, call, options.totalTimeoutMs ?? totalTimeoutMs, 'deadline')
  if (call.isBypass) return depart(parts, call, now)

  const until = opensAtFor(parts, call)
  const reason = whyNotWait(parts, call, until, now)
  if (reason) return refuseFor(parts, call, reason, until - now)
  const at = line.queued() === 0 ? nextAt(call, now) : Infinity
  if (at <= now) return depart(parts, call, now)
  if (isKeepalive && keepalive === 'reject') return refuseFor(parts, call, 'wait-too-long', at - now)
  startTimer(parts, call, options.maxQueueTimeMs ?? maxQueueTimeMs, 'queue-timeout')
  line.enqueue(call)
  try {
    options.promotion?.((priority) => parts.self.promote(call, PRIORITIES.indexOf(priority)))
  } catch (error) {
    report(error)
  }
  if (line.queued() > maxQueue) {
    const dropped = overflow === 'reject-new' ? call : line.oldest(overflow === 'drop-lowest')!
    line.remove(dropped)
    refuseFor(parts, dropped, 'queue-full', nextAt(call, now) - now)
  }
  parts.pump()
}

/** Sends a call that has just come. */
function depart(parts: BucketParts, call: Call, now: number): void {
  send(parts, call, now)
  parts.host.changed()
}

function startTimer(parts: BucketParts, call: Call, ms: number, reason: 'queue-timeout' | 'deadline'): void {
  if (ms === Infinity) return
  const { clock } = parts.host.settings
  const timer = createAlarm(clock, () => expire(parts, call, reason))
  timer.set(clock.now() + ms)
  const clear = (): void => timer.clear()
  call.release.push(clear)
  if (reason === 'queue-timeout') call.departs = clear
}

function expire(parts: BucketParts, call: Call, reason: 'queue-timeout' | 'deadline'): void {
  if (call.phase === 'in-flight') return call.abortAttempt?.(createRefusal(reason, 0))
  const now = parts.host.time.now()
  parts.line.remove(call)
  refuseFor(parts, call, reason, parts.nextAt(call, now) - now)
  parts.pump()
}
