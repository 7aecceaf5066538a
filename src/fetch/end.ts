import { RateLimitError, type RateLimitErrorCode } from '../core/errors.ts'
import { discard } from './attempt.ts'
import type { BucketParts } from './bucket-parts.ts'
import type { Call } from './bucket-types.ts'
import type { DropReason } from './events.ts'
import type { HoldSlot } from './plug-ins.ts'

/** Settles the call: what waits for it is let go of, and what is left of its body. `response` is what it resolves with. */
export function end(parts: BucketParts, call: Call, outcome: () => void, response?: Response): void {
  const { host, toll, pump } = parts
  const { holdSlot } = host.settings
  call.isOver = true
  toll.abandon(call)
  for (const release of call.release) release()
  for (const bucket of call.buckets) bucket.leave()
  const request = call.source.body()
  if (request) discard(request)
  outcome()
  if (!response || !holdSlot) return
  const free = (): void => {
    parts.held--
    pump()
  }
  parts.held++
  settled(holdSlot, response, call.signal).then(free, free)
}

/** In a scope of its own, so that who waits for the slot does not keep the response. Rejects if `holdSlot` throws. */
function settled(holdSlot: HoldSlot, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve) => resolve(holdSlot(response, signal)))
}

export function refuse(parts: BucketParts, call: Call, reason: DropReason, error: unknown): void {
  // A listener of events may have ended it while others were.
  if (call.isOver) return
  call.isOver = true
  parts.host.tell?.(parts.key, { type: 'drop', call: call.arrival, reason })
  end(parts, call, () => call.reject(error))
}

/** Refuses with what says when it would not be refused. */
export function refuseFor(
  parts: BucketParts,
  call: Call,
  code: RateLimitErrorCode & DropReason,
  ms: number,
): void {
  refuse(parts, call, code, createRefusal(code, ms))
}

export function createRefusal(code: RateLimitErrorCode, retryAfterMs: number): RateLimitError {
  return new RateLimitError(code, `Request not sent: ${code}`, Math.max(retryAfterMs, 0))
}

/** The caller has aborted it. */
export function abort(parts: BucketParts, call: Call): void {
  const { phase, signal } = call
  // In flight the signal has reached the fetch, which rejects.
  if (phase === 'in-flight') return call.abortAttempt?.(signal!.reason)
  if (call.isOver) return
  call.isOver = true
  parts.line.remove(call)
  parts.host.tell?.(parts.key, { type: 'abort', call: call.arrival, phase })
  end(parts, call, () => call.reject(signal!.reason))
  if (parts.line.queued() + parts.line.sleeping() === 0) return parts.pump()
  // Signals that depend on one abort one after the other: nobody is to move up that is about to leave as well.
  void Promise.resolve().then(() => parts.pump())
}
