import { report } from '../core/report.ts'

/** Why a request is sent again: the server said "too many", or it failed (5xx or network). */
export type RetryReason = 'throttle' | 'failure'

interface BackoffSettings {
  readonly backoff: ((times: number, reason: RetryReason) => number) | undefined
  readonly random: () => number
}

const LONGEST_MS = 30_000

/**
 * How long to wait before sending again, in ms, the `times`-th time in a row (from 0).
 *
 * Failures: full jitter, U(0, min(30 s, 500 ms · 2^times)). Throttles: equal jitter, d/2 + U(0, d/2) with
 * d = min(30 s, 1 s · 2^times). A `backoff` of the user's own stands unless it throws, or answers no number from 0. R39, R47
 */
export function backoffMs(times: number, reason: RetryReason, { backoff, random }: BackoffSettings): number {
  const own = backoff && answerOf(() => backoff(times, reason))
  if (own !== undefined && own >= 0 && own < Infinity) return own
  if (reason === 'failure') return fraction(random) * Math.min(LONGEST_MS, 500 * 2 ** times)
  const d = Math.min(LONGEST_MS, 1000 * 2 ** times)
  return d / 2 + (fraction(random) * d) / 2
}

/** What is added to a wait that the server asked for, so that its clients do not all come back at once. R38 */
export function jitterUpMs(serverWaitMs: number, random: () => number): number {
  return fraction(random) * Math.min(0.1 * serverWaitMs, 5000)
}

/** A number from 0 to 1, whatever `random` answers. */
function fraction(random: () => number): number {
  const answer = answerOf(random) ?? NaN
  return answer >= 0 && answer <= 1 ? answer : 0.5
}

/** What `ask`, a function of the user's, answers; undefined if it throws, for that is to cost nobody a call. R149 */
function answerOf(ask: () => number): number | undefined {
  try {
    return ask()
  } catch (error) {
    report(error)
    return undefined
  }
}
