import { RateLimitError } from '../../core/shared/errors.ts'
import { onAbort, reasonOf } from '../../core/shared/abort.ts'
import { attempt, classify, LONGEST_MS } from './attempt.ts'
import type { Bucket, Host } from './bucket.ts'
import type { Call } from './call.ts'
import { discard } from './request.ts'
import { isLastAttempt, isRetryable, isSentAgain, waitBefore } from './retry.ts'

/** One call, from its arrival until it settles: it queues, is sent, and is sent again as long as that may help. */
export async function runCall(call: Call, bucket: Bucket, host: Host): Promise<Response> {
  const { signal, totalTimeoutMs } = call
  const late = (): void =>
    call.fail(new RateLimitError('deadline', `No response within ${totalTimeoutMs} ms`, 0))
  const stopListening = signal && onAbort(signal, () => call.fail(reasonOf(signal)))
  const stopDeadline =
    totalTimeoutMs <= LONGEST_MS ? host.options.clock.after(totalTimeoutMs, late) : undefined
  let result: Response | undefined
  /** The last response. It is discarded unless the call settles with it. */
  let unread: Response | undefined
  try {
    bucket.enter(call)
    for (;;) {
      while (!bucket.take(call)) await bucket.turn(call)
      let charged = bucket
      const { options } = host
      const outcome = await attempt(call, isLastAttempt(call, options), options, host.send, (came) => {
        unread = came
        charged = host.redirected(came, call) ?? bucket
        // After a redirect, another server speaks of its own limits.
        return classify(came, options, (...args) => (charged === bucket ? bucket.ask('read', ...args) : []))
      })
      const { kind, response, error, waitMs, source = 'none', readings = [] } = outcome
      const { attempts } = call
      const status = response?.status ?? 0
      if (response && options.onEvent) {
        const details = readings.map((reading) => reading?.detail)
        bucket.emit('response', call, {
          attempt: attempts,
          status,
          retryAfterMs: waitMs,
          ...(Object.assign({}, ...details) as object),
        })
      } else if (!response && !signal?.aborted && !call.isOver)
        bucket.emit('error', call, { attempt: attempts, error })

      const gateWait = bucket.ended(call, outcome, charged)
      const isOpen = isRetryable(outcome, options) || (options.shouldRetry && status >= 400)
      // An aborted call rejects even if a response came.
      if (signal?.aborted && (isOpen || !response)) call.fail(reasonOf(signal))
      if (isOpen && !call.isOver) {
        const wait = gateWait ?? waitBefore(attempts - 1, false, options, waitMs)
        if (await isSentAgain(call, outcome, wait, bucket, charged, host)) {
          if (unread) discard(unread)
          continue
        }
      }
      if (!response || call.isOver) throw error ?? call.reason
      unread = undefined
      if (kind !== 'throttled' || !host.options.throwOnThrottle) return (result = response)
      const message = `Status ${status} after ${call.attempts} attempts`
      const restMs = Math.max(charged.gate.opensAt - host.time.now(), 0)
      throw Object.assign(new RateLimitError('throttled', message, restMs), {
        response,
        source,
        attempts: call.attempts,
        bucket: charged.key,
      })
    }
  } finally {
    stopListening?.()
    stopDeadline?.()
    bucket.left(call, result)
    if (unread) discard(unread)
    if (call.source.own) discard(call.source.own)
  }
}
