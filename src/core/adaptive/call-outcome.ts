import { RateLimitError } from '../shared/errors.ts'

/** What a call that has ended says of the other side. Neutral: nothing; it was aborted, or never sent. R121 */
export type CallOutcome = 'success' | 'failure' | 'neutral'

/**
 * The outcome of a call that rejected with `error`: neutral if `signal` has aborted it or a limit has refused it. That a
 * time ran out is a failure though: it is how one shows that never answers.
 */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  const isTimeout = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError'
  const isNeutral = (signal?.aborted && !isTimeout) || error instanceof RateLimitError
  return isNeutral ? 'neutral' : 'failure'
}
