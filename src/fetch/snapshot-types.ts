import type { WaitSource } from './events.ts'
import type { RateLimitPolicy } from './read-limits.ts'

/** A gate as a user interface shows it. */
export interface GateSnapshot {
  readonly open: boolean
  /** The clock's instant at which it opens; undefined when it is open, or paused by hand. */
  readonly until: number | undefined
  /** What closed it last: the header that the server said it with, our own backoff, another tab. */
  readonly source: WaitSource | undefined
  /** Ms until it opens, as of when it is read: 0 when it is open, Infinity when paused by hand. */
  readonly remainingMs: number
}

/** The limits in force, and what is left of them. */
export interface LimitsSnapshot {
  readonly ratePerSecond: number
  readonly burst: number
  readonly concurrency: number
  /** Requests that the pace lets go at once, as of when it is read: fractional. */
  readonly tokens: number
}

/** The server's limit, as far as it is known: told in its fields, or learnt from what it refused. */
export interface PaceSnapshot {
  readonly from: 'fields' | 'refusals'
  /** At which calls that wait are sent: a little below what the server is thought to let through. */
  readonly ratePerSecond: number
  readonly burst: number
}

/** What the server says is left of one of its limits, as of its last answer. */
export interface QuotaSnapshot {
  readonly name: string
  /** Requests, less those that were in flight, or have been sent since. */
  readonly available: number
  /** The clock's instant until which no more may be sent. */
  readonly until: number
}

/** The state of one bucket. Never changes, but for what says "as of when it is read". */
export interface BucketSnapshot {
  /** Calls that wait for the gate, the pace or a free place. */
  readonly queued: number
  /** Requests sent and not yet answered. */
  readonly inFlight: number
  /** Calls that wait before they are sent again. */
  readonly sleeping: number
  readonly gate: GateSnapshot
  /** How many requests may be in flight while the gate reopens: 1 for the probe, then 2, 4, 8 …; else Infinity. */
  readonly window: number
  readonly limits: LimitsSnapshot
  /** Undefined as long as nothing is known. */
  readonly pace: PaceSnapshot | undefined
  /** The server's own words in `RateLimit-Policy`. */
  readonly policies: readonly RateLimitPolicy[]
  readonly quota: readonly QuotaSnapshot[]
  /** Retries that the budget has left, as of when it is read; undefined without one. */
  readonly budget: number | undefined
}

/** The state of all buckets: sums, and the gate that opens last. */
export interface FetchSnapshot extends Pick<
  BucketSnapshot,
  'queued' | 'inFlight' | 'sleeping' | 'gate' | 'window'
> {
  readonly buckets: Readonly<Record<string, BucketSnapshot>>
}
