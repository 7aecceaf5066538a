import { backoffMs, jitterUpMs, type RetryReason } from './backoff.ts'
import type { Call } from './call.ts'
import type { GiveUpReason } from './events.ts'
import type { Settings } from './options.ts'

/**
 * How long to wait before sending again: what the server asks for, but our own backoff at least. R38
 *
 * @param times how often in a row that has happened before: to the bucket, for a throttle; else to the call.
 * @param serverWaitMs 0 if the server does not say.
 * @returns isOwn: whether our own backoff made the wait as long as it is.
 */
export function retryWait(
  settings: Settings,
  reason: RetryReason,
  times: number,
  serverWaitMs = 0,
): { waitMs: number; isOwn: boolean } {
  const ownMs = backoffMs(times, reason, settings)
  const waitMs = Math.max(serverWaitMs, ownMs) + jitterUpMs(serverWaitMs, settings.random)
  return { waitMs, isOwn: serverWaitMs < ownMs }
}

/** Why a call is not sent again; undefined if it is. `throttled` is the response, if it was a throttle. */
export function whyNotAgain(
  call: Call,
  settings: Settings,
  waitMs: number,
  throttled?: Response,
): GiveUpReason | undefined {
  if (call.attempts > settings.maxRetries) return 'attempts'
  if (!mayRepeat(call, settings, throttled)) return 'method'
  if (!call.isReplayable || call.request.bodyUsed) return 'body'
  return waitMs > settings.maxWaitMs ? 'wait' : undefined
}

/**
 * Whether a request of this method may be sent again: always if the method is idempotent; otherwise only after
 * a `throttled` response, which was not acted upon, and if the request or the settings say so. R81–R83
 */
function mayRepeat(
  { request }: Call,
  { methods, retryNonIdempotent }: Settings,
  throttled?: Response,
): boolean {
  if (methods.includes(request.method)) return true
  if (!throttled) return false
  if (request.headers.has('idempotency-key')) return true
  return typeof retryNonIdempotent === 'function'
    ? retryNonIdempotent(request, throttled)
    : retryNonIdempotent
}

/** Whether no attempt can follow the one to come, whatever its outcome: the body need not be kept. R95 */
export function isLastAttempt({ attempts, request, isReplayable }: Call, settings: Settings): boolean {
  const { methods, retryNonIdempotent, maxRetries } = settings
  const mayFollow =
    methods.includes(request.method) || request.headers.has('idempotency-key') || retryNonIdempotent !== false
  return attempts >= maxRetries || !isReplayable || !mayFollow
}
