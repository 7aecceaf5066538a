import { backoffMs, jitterUpMs, type RetryReason } from './backoff.ts'
import type { Call, Closing } from './bucket-types.ts'
import type { GiveUpReason } from './events.ts'
import type { Settings } from './settings.ts'

/** How a call is to be sent again. */
export interface RetryPlan extends Closing {
  readonly reason: RetryReason
  /** Whether our own backoff made the wait as long as it is. */
  readonly isOwn: boolean
}

/**
 * How long to wait before sending again: what the server asks for, but our own backoff at least. R38
 *
 * @param times how often in a row that has happened before: to the bucket, for a throttle; else to the call.
 * @param serverWaitMs 0 if the server does not say.
 */
export function planRetry(
  settings: Settings,
  reason: RetryReason,
  times: number,
  serverWaitMs = 0,
): RetryPlan {
  const ownMs = backoffMs(times, reason, settings)
  const spreadMs = jitterUpMs(serverWaitMs, settings.random)
  const waitMs = Math.max(serverWaitMs, ownMs) + spreadMs
  return { reason, waitMs, spreadMs, isOwn: serverWaitMs < ownMs }
}

/**
 * Why a call that has attempts left cannot be sent again, whatever anybody wants; undefined if it can.
 *
 * @param elapsedMs how long ago the call came.
 */
export function whyNever(
  call: Call,
  settings: Settings,
  { waitMs, spreadMs }: RetryPlan,
  elapsedMs: number,
): GiveUpReason | undefined {
  const { maxWaitMs = settings.maxWaitMs, totalTimeoutMs = settings.totalTimeoutMs } = call.options
  if (!isReplayable(call, settings)) return 'body'
  if (waitMs - spreadMs > maxWaitMs) return 'wait'
  return elapsedMs + waitMs > totalTimeoutMs ? 'deadline' : undefined
}

/**
 * Whether a request of this method may be sent again: always if the method is idempotent; otherwise only after
 * a `throttled` response, which was not acted upon, and if the request or the settings say so. R81–R83
 */
export function mayRepeat(
  { source: { method, hasIdempotencyKey, request } }: Call,
  { methods, retryNonIdempotent }: Settings,
  throttled?: Response,
): boolean {
  if (methods.includes(method)) return true
  if (!throttled) return false
  if (hasIdempotencyKey) return true
  return typeof retryNonIdempotent === 'function'
    ? retryNonIdempotent(request(), throttled)
    : retryNonIdempotent
}

/** Whether the request could be sent once more as it was. */
export const isReplayable = ({ source, isBypass }: Call, { replayStreams }: Settings): boolean =>
  !isBypass && (!source.isStream || replayStreams) && !source.body()?.bodyUsed

/** Whether no attempt can follow the one to come, whatever its outcome: the body need not be kept. R95 */
export function isLastAttempt(call: Call, settings: Settings): boolean {
  const { methods, retryNonIdempotent, maxRetries, shouldRetry, offline } = settings
  const { method, hasIdempotencyKey } = call.source
  const mayFollow =
    methods.includes(method) || hasIdempotencyKey || retryNonIdempotent !== false || shouldRetry
  // R123: to wait for the network costs no attempt.
  const isLast = call.attempts > maxRetries && offline === 'fail'
  return isLast || !isReplayable(call, settings) || !mayFollow
}
