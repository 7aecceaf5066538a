/** What has become of an attempt. */
export interface Attempt {
  /** From 1. */
  readonly attempt: number
  readonly request: Request
  readonly response: Response | undefined
  readonly error: unknown
  /** Ms after which it would be sent again. */
  readonly delayMs: number
  /** Ms that the server asks to wait, and which header says so. */
  readonly signal: { readonly waitMs: number | undefined; readonly source: string }
}

/** Whether to send again; a `delayMs` is raised to what the server asks for. Undefined: as without being asked. */
export type Decide = (attempt: Attempt) => boolean | { delayMs: number } | undefined

/** Limits retries to a share of what succeeds: one bucket's account. */
export interface RetryAccount {
  /** Retries that are left; fractional. */
  readonly level: () => number
  /** Whether `cost` could be paid now. */
  readonly canPay: (cost: number) => boolean
  readonly pay: (cost: number) => void
  readonly succeeded: (paid: number) => void
}

/** Opens an account for a bucket. `now` is the clock's. */
export type RetryBudget = (now: () => number) => RetryAccount

/** What a circuit breaker is told, and may refuse. A throttle is `neutral`, as is an abort. R120–R122 */
export interface Breaker {
  /**
   * Throws to refuse: the call rejects with that, takes no token and does not wait at the gate. What it answers comes back
   * with the outcome.
   */
  beforeDispatch: (key: string) => unknown
  /** `neutral`: it came to nothing, or was never sent. */
  afterAttempt: (key: string, outcome: 'success' | 'failure' | 'neutral', ticket: unknown) => void
}

/** Until when a response holds a place, of which `signal` is the caller's. */
export type HoldSlot = (response: Response, signal: AbortSignal | undefined) => PromiseLike<unknown>

/** Carries closed gates from tab to tab. What comes in can only delay. */
export interface Share {
  /** A gate was closed until `untilWallMs`, ms since 1970. */
  closed: (key: string, untilWallMs: number) => void
  /** Calls `listener` when another tab has closed a gate. */
  subscribe: (listener: (key: string, untilWallMs: number) => void) => () => void
}
