import { safely } from '../core/shared/report.ts'
import type { Call, Outcome } from './call.ts'
import type { KernelOptions } from './options.ts'

/** What a function of the user's returns, if it is a number from 0 to `most`. What it throws is reported. */
function numberOf(get: () => number | undefined, most: number, otherwise: number): number {
  const value = safely(get)!
  return value >= 0 && value <= most ? value : otherwise
}

/** Numbers from 0 to 1, whatever `random` returns: for the backoff, and for the jitter. */
export const draws = ({ random }: KernelOptions): [number, number] => [
  numberOf(random, 1, 0.5),
  numberOf(random, 1, 0.5),
]

/**
 * Ms before the `times`-th retry in a row (from 0), and how many of them are jitter on top. The server's wait or the own
 * backoff counts, the longer one: after a failure full jitter, from 0 to min(30 s, 500 ms · 2^times); after a refusal equal
 * jitter, from half to all of min(30 s, 1 s · 2^times). A server's wait gets up to a tenth on top, so that its clients do not
 * come all at once.
 */
export function waitBefore(
  times: number,
  isThrottle: boolean,
  options: KernelOptions,
  serverMs = 0,
  [drawn, drawnSpread]: readonly [number, number] = draws(options),
): [waitMs: number, spreadMs: number] {
  const most = Math.min(30_000, (isThrottle ? 1000 : 500) * 2 ** times)
  const ownMs = numberOf(
    () => options.backoff?.(times, isThrottle ? 'throttle' : 'failure'),
    Number.MAX_VALUE,
    isThrottle ? (most + drawn * most) / 2 : drawn * most,
  )
  const spreadMs = drawnSpread * Math.min(serverMs / 10, 5000)
  return [Math.max(serverMs, ownMs) + spreadMs, spreadMs]
}

/** Whether it is sent again if nobody says otherwise, as far as the response goes. */
export function isRetryable({ kind, response, waitMs }: Outcome, { statuses }: KernelOptions): boolean {
  if (!response) return kind === 'lost'
  const { status } = response
  return kind === 'throttled' || (statuses.includes(status) && (status !== 413 || waitMs !== undefined))
}

/**
 * The same, as far as the request goes: always if its method is idempotent (RFC 9110 §9.2.2); else only after a refusal,
 * which the server did not act upon, and if the request or the options allow it.
 */
export function mayRepeat({ source }: Call, outcome: Outcome, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent } = options
  if (!isRetryable(outcome, options)) return false
  if (methods.includes(source.method)) return true
  return (
    outcome.kind === 'throttled' &&
    (source.hasIdempotencyKey ||
      (typeof retryNonIdempotent === 'function'
        ? retryNonIdempotent(source.request(), outcome.response!)
        : retryNonIdempotent))
  )
}

/** Whether the request can be sent once more as it was. */
export const isReplayable = ({ source, isBypass }: Call): boolean =>
  !isBypass && !source.isStream && !source.own?.bodyUsed

/** Whether no attempt can follow the present one, whatever becomes of it: its body need not be copied. */
export function isLastAttempt(call: Call, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent, shouldRetry, maxRetries } = options
  const { method, hasIdempotencyKey } = call.source
  const mayFollow = methods.includes(method) || hasIdempotencyKey || retryNonIdempotent || shouldRetry
  return !mayFollow || call.attempts > maxRetries || !isReplayable(call)
}
