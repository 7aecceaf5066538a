/** What a call that has ended says of the other side. Neutral: nothing; it was aborted, or never sent. */
export type CallOutcome = 'success' | 'failure' | 'neutral'

/**
 * The outcome of a call that rejected with `error`: neutral if `signal` aborted it or a limit refused it. A timeout is a failure
 * though: a server that hangs shows in nothing else. Errors go by their name, for they may be of another realm.
 */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  const isAborted = signal?.aborted && nameOf(signal.reason) !== 'TimeoutError'
  return isAborted || nameOf(error) === 'RateLimitError' ? 'neutral' : 'failure'
}

const nameOf = (error: unknown): unknown => (error as Partial<Error> | undefined | null)?.name
