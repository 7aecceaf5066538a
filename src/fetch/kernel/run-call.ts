import { RateLimitError } from '../../core/shared/errors.ts'
import { onAbort, reasonOf } from '../../core/shared/abort.ts'
import { attempt, classify, LONGEST_MS } from './attempt.ts'
import type { Bucket, Host } from './bucket.ts'
import type { Call, Outcome } from './call.ts'
import { discard } from './request.ts'
import { isLastAttempt, isRetryable, isSentAgain, waitBefore, type Wait } from './retry.ts'

/** One call, from its arrival until it settles: it queues, is sent, and is sent again as long as that may help. */
export async function runCall(call: Call, bucket: Bucket, host: Host): Promise<Response> {
  const { signal, totalTimeoutMs } = call
  const late = (): void =>
    call.fail(new RateLimitError('deadline', `No response within ${totalTimeoutMs} ms`, 0))
  call.fail = (reason) => bucket.fail(call, reason)
  const stopListening = signal && onAbort(signal, () => call.fail(reasonOf(signal)))
  const stopDeadline =
    totalTimeoutMs <= LONGEST_MS ? host.options.clock.after(totalTimeoutMs, late) : undefined
  let response: Response | undefined
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
      const wait = conclude(call, outcome, bucket, charged, host)
      if (!wait || !(await isSentAgain(call, outcome, wait, bucket, charged, host))) {
        if (outcome.response && !call.isOver) unread = undefined
        return (response = settle(call, outcome, charged, host))
      }
      if (unread) discard(unread)
    }
  } finally {
    stopListening?.()
    stopDeadline?.()
    bucket.left(call, response)
    if (unread) discard(unread)
    if (call.source.own) discard(call.source.own)
  }
}

/** Records the outcome of an attempt. Returns how long another one would wait; undefined if there can be none. */
function conclude(
  call: Call,
  outcome: Outcome,
  bucket: Bucket,
  charged: Bucket,
  { options }: Host,
): Wait | undefined {
  const { response, error, waitMs, readings = [] } = outcome
  const { attempts: attempt, signal } = call
  const status = response?.status ?? 0
  if (response && options.onEvent) {
    const details = readings.map((reading) => reading?.detail)
    bucket.emit('response', call, {
      attempt,
      status,
      retryAfterMs: waitMs,
      ...(Object.assign({}, ...details) as object),
    })
  } else if (!response && !signal?.aborted && !call.isOver) bucket.emit('error', call, { attempt, error })

  const wait = bucket.ended(call, outcome, charged)

  const isOpen = isRetryable(outcome, options) || (options.shouldRetry && status >= 400)
  // An aborted call rejects even if a response came.
  if (signal?.aborted && (isOpen || !response)) call.fail(reasonOf(signal))
  return call.isOver || !isOpen ? undefined : (wait ?? waitBefore(attempt - 1, false, options, waitMs))
}

/** What the call resolves with, or throws. */
function settle(
  call: Call,
  { kind, response, error, source = 'none' }: Outcome,
  charged: Bucket,
  host: Host,
): Response {
  const { attempts } = call
  if (!response || call.isOver) throw error ?? call.reason
  if (kind !== 'throttled' || !host.options.throwOnThrottle) return response
  const message = `Status ${response.status} after ${attempts} attempts`
  throw Object.assign(
    new RateLimitError('throttled', message, Math.max(charged.gate.opensAt - host.time.now(), 0)),
    { response, source, attempts, bucket: charged.key },
  )
}
