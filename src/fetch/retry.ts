import { report } from '../core/shared/report.ts'
import type { Call } from './call.ts'
import type { KernelOptions } from './options.ts'

/** What a function of the user's returns, if it is a number from 0 to `most`. What it throws is reported. */
function numberOf(get: () => number | undefined, most: number, otherwise: number): number {
  try {
    const value = get()!
    if (value >= 0 && value <= most) return value
  } catch (error) {
    report(error)
  }
  return otherwise
}

/** A number from 0 to 1, whatever `random` returns. */
export const draw = ({ random }: KernelOptions): number => numberOf(random, 1, 0.5)

/**
 * Ms before the `times`-th retry in a row (from 0), and the jitter on top. The server's wait or the own backoff counts, the
 * longer one: after a failure full jitter, from 0 to min(30 s, 500 ms · 2^times); after a refusal equal jitter, from half
 * to all of min(30 s, 1 s · 2^times). A server's wait gets up to a tenth on top, so that its clients do not come all at once.
 */
export function waitBefore(
  times: number,
  isThrottle: boolean,
  { backoff }: KernelOptions,
  drawn: number,
  serverMs = 0,
): [waitMs: number, spreadMs: number] {
  const most = Math.min(30_000, (isThrottle ? 1000 : 500) * 2 ** times)
  const ownMs = numberOf(
    () => backoff?.(times, isThrottle ? 'throttle' : 'failure'),
    Number.MAX_VALUE,
    isThrottle ? (most + drawn * most) / 2 : drawn * most,
  )
  return [Math.max(serverMs, ownMs), drawn * Math.min(serverMs / 10, 5000)]
}

/** Whether the request can be sent once more as it was. */
export const isReplayable = ({ source, isBypass }: Call): boolean =>
  !isBypass && !source.isStream && source.isUnread()

/** Whether no attempt can follow the present one, whatever becomes of it: its body need not be copied. */
export function isLastAttempt(call: Call, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent, shouldRetry, maxRetries } = options
  const { method, hasIdempotencyKey } = call.source
  const mayFollow = methods.includes(method) || hasIdempotencyKey || retryNonIdempotent || shouldRetry
  return !mayFollow || call.attempts > maxRetries || !isReplayable(call)
}
