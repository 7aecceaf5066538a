import { check } from '../core/shared/check.ts'
import { adviseOnFetchOptions } from '../core/shared/develop.ts'
import { systemTime, type Clock } from '../core/time/clock.ts'
import type { FetchEvent, WaitSource } from './events.ts'
import type { Policy } from './policy.ts'

/** The priority of a call in the queue. Used by the policy `priorities`. */
export type Priority = 'high' | 'auto' | 'low'

/** Why a request is retried: the server throttled it, or it failed (another status or a network error). */
export type RetryReason = 'throttle' | 'failure'

/** `init.rateLimit`: options of one call. */
export interface CallOptions {
  /** @default init.priority */
  priority?: Priority | undefined
  /** @default that of the fetch */
  maxWaitMs?: number | undefined
  /** @default that of the fetch */
  totalTimeoutMs?: number | undefined
  /** @default that of the fetch */
  maxRetries?: number | undefined
  /** For the policy `queueTimeout`. @default its `ms` */
  queueTimeoutMs?: number | undefined
  /** Receives a function that raises the call's priority while it is queued. For wrappers that merge calls. */
  promotion?: ((promote: (priority: Priority) => void) => void) | undefined
}

/** The `init` of a rate-limited fetch. */
export interface RateLimitedRequestInit extends RequestInit {
  /** Options of this call. False sends it at once, and only once: it bypasses queue and gate. */
  rateLimit?: CallOptions | false | undefined
  /** For the policy `priorities`. Browsers read it too; the types of Node lack it. @default 'auto' */
  priority?: Priority
}

/** The outcome of an attempt, for `shouldRetry`. */
export interface Attempt {
  /** The number of the attempt: 1 for the first. */
  readonly attempt: number
  readonly request: Request
  readonly response: Response | undefined
  readonly error: unknown
  /** Ms until the default retry. */
  readonly delayMs: number
  /** The wait that the server asks for, in ms, and the header that names it. */
  readonly signal: { readonly waitMs: number | undefined; readonly source: WaitSource }
}

/** Whether to retry. A `delayMs` below the server's wait is raised to it. Undefined or null: the default decision. */
export type RetryDecision = boolean | { delayMs: number } | null | undefined

/** Options of `composeRateLimitedFetch`. */
export interface ComposeOptions {
  /** Sends the requests. @default `globalThis.fetch`, looked up for each request */
  fetch?: ((input: string | Request, init?: RequestInit) => Promise<Response>) | undefined
  /** Returns the key of the bucket that limits a request, or null for no limit. @default the URL's origin */
  key?: ((request: Request) => string | null) | undefined
  /** Maximum number of requests in flight per bucket, at least 1, from sending to the response's headers. @default Infinity */
  concurrency?: number | undefined
  /** Maximum number of queued calls per bucket. @default 1000 */
  maxQueue?: number | undefined
  /**
   * The call to reject when the queue is full: the new one, the oldest, or the oldest of the lowest priority.
   * @default 'reject-new'
   */
  overflow?: 'reject-new' | 'drop-oldest' | 'drop-lowest' | undefined
  /** Maximum number of retries per call. @default 2 */
  maxRetries?: number | undefined
  /** Methods that are retried, in upper case. @default GET HEAD OPTIONS PUT DELETE QUERY */
  methods?: readonly string[] | undefined
  /** Statuses that are retried besides refusals; 413 only if the response names a time. @default 408 413 425 429 500 502 503 504 */
  statuses?: readonly number[] | undefined
  /** Returns whether a response is throttled besides a 429, and a 503 that names a time. @default () => false */
  isThrottled?: ((response: Response) => boolean) | undefined
  /** While retries are left, decides after each failed attempt and each status of 400 or more. May return a promise. */
  shouldRetry?: ((attempt: Attempt) => RetryDecision | PromiseLike<RetryDecision>) | undefined
  /** Whether to retry throttled requests of other methods that have no `Idempotency-Key`. @default false */
  retryNonIdempotent?: boolean | ((request: Request, response: Response) => boolean) | undefined
  /**
   * Returns the minimum delay in ms before a retry; `times` is 0 for the first. Invalid numbers are ignored.
   * @default exponential, with jitter
   */
  backoff?: ((times: number, reason: RetryReason) => number) | undefined
  /** Returns a number of at least 0 and below 1, for jitter. @default Math.random */
  random?: (() => number) | undefined
  /**
   * If the gate stays closed for longer, in ms, a call rejects at once; one that was refused for longer resolves with its response.
   * Up to 5 s of jitter may be added. @default 60_000
   */
  maxWaitMs?: number | undefined
  /** Maximum cooldown in ms, even if the server asks for more. @default 600_000 */
  maxGateMs?: number | undefined
  /** Above this number, idle buckets are removed. @default 256 */
  maxBuckets?: number | undefined
  /**
   * Maximum ms from sending to the response's headers, at least 1. Then the attempt fails with a `TimeoutError`. Above 2 · 10^9: never.
   * @default Infinity
   */
  attemptTimeoutMs?: number | undefined
  /**
   * Maximum ms for a call with all its waits, at least 1. Then it rejects with a `RateLimitError` 'deadline'. Above 2 · 10^9: never.
   * @default Infinity
   */
  totalTimeoutMs?: number | undefined
  /** Reject with a `RateLimitError` instead of resolving with a throttled response. @default false */
  throwOnThrottle?: boolean | undefined
  /** Further rules for when and whether calls are sent. @default [] */
  policies?: readonly Policy[] | undefined
  /** Receives each event. Errors it throws are reported and change nothing. */
  onEvent?: ((event: FetchEvent) => void) | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

type WithoutDefault = 'fetch' | 'key' | 'isThrottled' | 'shouldRetry' | 'backoff' | 'onEvent'

/** All options, with their defaults. */
export type KernelOptions = ComposeOptions & {
  readonly [Name in Exclude<keyof ComposeOptions, WithoutDefault>]: NonNullable<ComposeOptions[Name]>
}

const defaults: KernelOptions = {
  concurrency: Infinity,
  maxQueue: 1000,
  overflow: 'reject-new',
  maxRetries: 2,
  methods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY'],
  statuses: [408, 413, 425, 429, 500, 502, 503, 504],
  retryNonIdempotent: false,
  random: Math.random,
  maxWaitMs: 60_000,
  maxGateMs: 600_000,
  maxBuckets: 256,
  attemptTimeoutMs: Infinity,
  totalTimeoutMs: Infinity,
  throwOnThrottle: false,
  policies: [],
  clock: systemTime,
}

/**
 * Checks that numbers are at least 0, or at least 1 where the default is Infinity. In development it checks all other options too.
 *
 * @throws RangeError that names a number out of range. In development RangeError or TypeError for any other invalid value and for
 * an unknown option.
 */
export function checkOptions(options: object): void {
  adviseOnFetchOptions(options, defaults)
  for (const [name, value] of Object.entries(options) as [keyof KernelOptions, number | undefined][]) {
    const usual = defaults[name]
    const least = Number(usual === Infinity)
    if (typeof usual === 'number' && value !== undefined) check(value >= least, `${name} >= ${least}`, value)
  }
}

/** Returns `options`, with defaults for undefined ones. @throws RangeError or TypeError that names an invalid option. */
export function withDefaults(options: ComposeOptions): KernelOptions {
  checkOptions(options)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) }
}
