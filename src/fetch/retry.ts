import { report } from '../core/shared/report.ts'
import type { Call, Outcome } from './call.ts'
import type { GiveUpReason } from './events.ts'
import type { Hooks } from './hooks.ts'
import type { KernelOptions, RetryDecision, RetryReason } from './options.ts'

/** Clocks have fractions: sums of instants are not exact. */
export const ROUNDING_MS = 1

/**
 * Ms to wait before the `times`-th retry in a row (from 0). A failure has full jitter, from 0 to min(30 s, 500 ms · 2^times);
 * a refusal equal jitter, from half to all of min(30 s, 1 s · 2^times).
 */
export function backoffMs(
  times: number,
  reason: RetryReason,
  { backoff }: KernelOptions,
  drawn: number,
): number {
  try {
    const own = backoff?.(times, reason) ?? NaN
    if (own >= 0 && own < Infinity) return own
  } catch (error) {
    report(error)
  }
  const isThrottle = reason === 'throttle'
  const most = Math.min(30_000, (isThrottle ? 1000 : 500) * 2 ** times)
  return isThrottle ? (most + drawn * most) / 2 : drawn * most
}

/** Ms added to a wait that the server asks for, so that its clients do not all come back at once. */
export const jitterMs = (serverMs: number, drawn: number): number => drawn * Math.min(serverMs / 10, 5000)

/** A number from 0 to 1, whatever `random` returns. */
export function draw({ random }: KernelOptions): number {
  try {
    const drawn = random()
    if (drawn >= 0 && drawn <= 1) return drawn
  } catch (error) {
    report(error)
  }
  return 0.5
}

/**
 * Whether a request of this method may be sent again: always if the method is idempotent (RFC 9110 §9.2.2); else only
 * after a refusal, which the server did not act upon, and if the request or the options allow it.
 */
function mayRepeat({ source }: Call, { response, kind }: Outcome, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent } = options
  if (methods.includes(source.method)) return true
  if (kind !== 'throttled') return false
  return (
    source.hasIdempotencyKey ||
    (typeof retryNonIdempotent === 'function'
      ? retryNonIdempotent(source.request(), response!)
      : retryNonIdempotent)
  )
}

/** Whether the request can be sent once more as it was. */
const isReplayable = ({ source, isBypass }: Call): boolean =>
  !isBypass && !source.isStream && source.isUnread()

/** Whether no attempt can follow the next one, whatever becomes of it: its body need not be copied. */
export function isLastAttempt(call: Call, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent, shouldRetry, maxRetries } = options
  const { method, hasIdempotencyKey } = call.source
  const mayFollow = methods.includes(method) || hasIdempotencyKey || retryNonIdempotent || shouldRetry
  return !mayFollow || call.attempts > maxRetries || !isReplayable(call)
}

/** How a call would be sent again. */
interface RetryPlan {
  readonly waitMs: number
  /** How much of it is jitter. */
  readonly spreadMs: number
  /** Whether status and error are such that it is sent again if nobody says otherwise. */
  readonly isRetryable: boolean
}

interface RetryContext {
  readonly ask: Hooks['ask']
  readonly now: number
  readonly options: KernelOptions
  readonly isDisposed: boolean
}

/** Returns ms until the next attempt, or why there is none. `advice` is what `shouldRetry` says. */
export function decide(
  call: Call,
  outcome: Outcome,
  { waitMs, spreadMs, isRetryable }: RetryPlan,
  advice: RetryDecision,
  { ask, now, options, isDisposed }: RetryContext,
): number | GiveUpReason {
  if (isDisposed) return 'attempts'
  if (advice === false) return 'hook'
  if (advice === undefined && !(isRetryable && mayRepeat(call, outcome, options))) return 'method'
  if (!isReplayable(call)) return 'body'

  let delayMs = waitMs
  if (typeof advice === 'object') {
    // Nothing shortens what the server asks for.
    const leastMs = outcome.waitMs === undefined ? 0 : outcome.waitMs + spreadMs
    delayMs = advice.delayMs > leastMs ? advice.delayMs : leastMs
  }
  const heldMs = Math.max(0, ...ask('delay', call, outcome, delayMs).map((ms) => (ms! > 0 ? ms! : 0)))
  if (heldMs === Infinity) {
    call.attempts--
    return Infinity
  }
  delayMs = Math.max(delayMs, heldMs)
  if (call.attempts > options.maxRetries) return 'attempts'
  if (delayMs - spreadMs > call.maxWaitMs + ROUNDING_MS) return 'wait'
  if (now - call.since + delayMs > call.totalTimeoutMs) return 'deadline'
  return ask('veto', call, outcome, delayMs).find((veto) => veto) ?? delayMs
}
