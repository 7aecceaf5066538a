import type { CallPhase, WaitSource } from '../events.ts'
import type { CallOptions, RateLimitedRequestInit } from '../options.ts'
import type { Reading } from '../policy.ts'
import type { Bucket } from './bucket.ts'
import type { RequestSource } from './request.ts'

/** After this time without a response, a request no longer keeps others from being sent. */
export const SILENT_MS = 10_000

/** One call of the rate-limited fetch, from its arrival until it is settled. */
export interface Call {
  readonly source: RequestSource
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  /** The number of the call, in order of arrival. A retried call keeps it, and so its place in the queue. */
  readonly arrival: number
  /** The instant of the call's arrival. */
  readonly since: number
  /** The caller's. */
  readonly init: RateLimitedRequestInit | undefined
  /** `init.rateLimit`, or an empty object. */
  readonly options: CallOptions
  /** From the options of the call, or else of the fetch. */
  readonly maxWaitMs: number
  readonly totalTimeoutMs: number
  readonly maxRetries: number
  /** Whether the call bypasses queue and gate. */
  readonly isBypass: boolean
  /** The urgency; 0 is the highest. Used by `overflow` and the policy `priorities`. @default 1 */
  rank: number
  /** Set by a policy whose `delay` may allow another attempt: then the last attempt also sends a copy of the body. */
  keepsBody?: boolean
  /** Attempts sent so far. */
  attempts: number
  /** The number of the last attempt among all requests; undefined before the first. */
  sequence: number
  /** The instant of the last attempt. */
  sentAt: number
  phase: CallPhase
  /** The instant at which a sleeping call queues again. */
  wakesAt: number
  /** Whether the call has settled or was given up. */
  isOver: boolean
  /** Gives the call up at once, in any phase: it rejects with `reason`. */
  fail: (reason: unknown) => void
  /** Ends the wait between two attempts. */
  wake: () => void
  /** Continues the call when it may be its turn. */
  proceed?: () => void
  /** Settle the call. */
  readonly resolve: (response: Response) => void
  readonly reject: (reason: unknown) => void
  /** Ends the attempt in flight. */
  interrupt?: (reason: unknown) => void
  /** Stops the call's timer and its listener. */
  stop: () => void
  /** The last response. It is discarded unless the call settles with it. */
  unread?: Response | undefined
}

/** The outcome of an attempt. */
export interface Outcome {
  /**
   * `passed`: any status below 500 but a refusal; `failed`: 5xx; `throttled`: refused for a limit; `lost`: a network error or a
   * timeout; `aborted`: by its caller, which says nothing about the server; `opaque`: a response that cannot be read.
   */
  readonly kind: 'passed' | 'failed' | 'throttled' | 'lost' | 'aborted' | 'opaque'
  readonly response?: Response | undefined
  readonly error?: unknown
  /** Ms that the server asks to wait; undefined if it does not say. */
  readonly waitMs?: number | undefined
  /** What named `waitMs`. */
  readonly source?: WaitSource | undefined
  /** What the kernel and each policy have read in the response. */
  readonly readings?: readonly (Reading | undefined)[] | undefined
}

/** An outcome, and the bucket that it counts for. After a redirect that is another one. */
export interface ChargedOutcome extends Outcome {
  readonly charged?: Bucket | undefined
}
