import type { CallPhase, WaitSource } from '../events.ts'
import type { CallOptions, RateLimitedRequestInit } from '../options.ts'
import type { Reading } from '../policy.ts'
import type { Bucket } from './bucket.ts'
import type { RequestSource } from './request.ts'

/** A request without a response for so long no longer keeps others from being sent. */
export const SILENT_MS = 10_000

/** One call of the rate-limited fetch, from its arrival until it is settled. */
export interface Call {
  readonly source: RequestSource
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  /** Calls are numbered as they come. A call that is retried keeps its number, and so its place. */
  readonly arrival: number
  /** The instant at which it came. */
  readonly since: number
  /** The caller's. */
  readonly init: RateLimitedRequestInit | undefined
  /** `init.rateLimit`, or nothing. */
  readonly options: CallOptions
  /** Options of the call, or else of the fetch. */
  readonly maxWaitMs: number
  readonly totalTimeoutMs: number
  /** Sent past queue and gate. */
  readonly isBypass: boolean
  /** From 0, the most urgent. Used by the overflow and the policy `priorities`. @default 1 */
  rank: number
  /** Set by a policy whose `delay` may grant one more attempt: the last one also sends a copy of the body. */
  keepsBody?: boolean
  /** Attempts sent so far. */
  attempts: number
  /** The number of the last attempt among all requests. */
  sequence: number
  /** The instant of the last attempt. */
  sentAt: number
  phase: CallPhase
  /** When a sleeping call queues again. */
  wakesAt: number
  /** Whether it has settled or was given up. */
  isOver: boolean
  /** Gives the call up at once, in any phase: it rejects with `reason`. */
  fail: (reason: unknown) => void
  /** Ends its wait in the queue or between two attempts. */
  wake: () => void
  /** Settle the call. */
  readonly resolve: (response: Response) => void
  readonly reject: (reason: unknown) => void
  /** Ends its attempt. */
  interrupt?: (reason: unknown) => void
  /** Stops its timer and its listener. */
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
  /** What said so. */
  readonly source?: WaitSource | undefined
  /** What each policy has read in the response. */
  readonly readings?: readonly (Reading | undefined)[] | undefined
}

/** An outcome with the bucket that it counts for: another one after a redirect. */
export interface ChargedOutcome extends Outcome {
  readonly charged?: Bucket | undefined
}
