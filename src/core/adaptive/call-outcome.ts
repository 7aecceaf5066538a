/** What the end of a call says about the server. Neutral: nothing, because it was aborted or never sent. */
export type CallOutcome = 'success' | 'failure' | 'neutral'

/**
 * The outcome of a call that rejected with `error`: neutral if `signal` aborted it or a limit refused it. A timeout is a failure:
 * it is the only sign of a server that hangs. Errors are recognized by their name, because they may be of another realm.
 */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  const isAborted = signal?.aborted && nameOf(signal.reason) !== 'TimeoutError'
  return isAborted || nameOf(error) === 'RateLimitError' ? 'neutral' : 'failure'
}

const nameOf = (error: unknown): unknown => (error as Partial<Error> | undefined | null)?.name
