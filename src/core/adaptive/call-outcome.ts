/** What the end of a call shows about the server. Neutral: nothing, because the call was aborted or never sent. */
export type CallOutcome = 'success' | 'failure' | 'neutral'

/**
 * The outcome of a call that rejected with `error`: neutral if `signal` aborted it or a limit refused it. A timeout is a failure,
 * because it is the only sign of a server that hangs. Recognizes errors by name: they may come from another realm.
 */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  const isAborted = signal?.aborted && nameOf(signal.reason) !== 'TimeoutError'
  return isAborted || nameOf(error) === 'RateLimitError' ? 'neutral' : 'failure'
}

const nameOf = (error: unknown): unknown => (error as Partial<Error> | undefined | null)?.name
