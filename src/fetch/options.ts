import { checkFrom } from '../core/shared/check.ts'
import { adviseOnFetchOptions } from '../core/shared/develop.ts'
import { systemTime, type Clock } from '../core/time/clock.ts'
import type { FetchEvent, WaitSource } from './events.ts'
import type { Policy } from './policy.ts'

/** Which calls of a queue are sent first, if the policy `priorities` is used. */
export type Priority = 'high' | 'auto' | 'low'

/** Why a request is sent again: the server refused it for a limit, or it failed (5xx or network). */
export type RetryReason = 'throttle' | 'failure'

/** `init.rateLimit`: options of one call. */
export interface CallOptions {
  /** @default init.priority */
  priority?: Priority | undefined
  maxWaitMs?: number | undefined
  totalTimeoutMs?: number | undefined
  /** For the policy `queueTimeout`. */
  queueTimeoutMs?: number | undefined
  /** Called with a function that raises the call's priority while it queues. For wrappers that merge several calls. */
  promotion?: ((promote: (priority: Priority) => void) => void) | undefined
}

/** The `init` of a rate-limited fetch. */
export interface RateLimitedRequestInit extends RequestInit {
  /** Options of this call; false: sent at once, past queue and gate. */
  rateLimit?: CallOptions | false | undefined
}

/** The outcome of an attempt, for `shouldRetry`. */
export interface Attempt {
  /** From 1. */
  readonly attempt: number
  readonly request: Request
  readonly response: Response | undefined
  readonly error: unknown
  /** Ms until it would be sent again. */
  readonly delayMs: number
  /** Ms that the server asks to wait, and which header says so. */
  readonly signal: { readonly waitMs: number | undefined; readonly source: WaitSource }
}

/** Whether to send again. `delayMs` is raised to the server's wait. Undefined leaves the decision to the fetch. */
export type RetryDecision = boolean | { delayMs: number } | undefined

/** Options of `composeRateLimitedFetch`. */
export interface ComposeOptions {
  /** Sends the requests. Without it, `globalThis.fetch` as it is when a request is sent. */
  fetch?: ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) | undefined
  /** The key of the bucket that limits a request; null: it is not limited. @default the URL's origin */
  key?: ((request: Request) => string | null) | undefined
  /** The most requests in flight in each bucket, from sending to the response's headers. @default Infinity */
  concurrency?: number | undefined
  /** The most calls that wait in each bucket. @default 1000 */
  maxQueue?: number | undefined
  /**
   * Which call is refused when the queue is full: the new one, the oldest, or the oldest of the lowest priority.
   * @default 'reject-new'
   */
  overflow?: 'reject-new' | 'drop-oldest' | 'drop-lowest' | undefined
  /** The most attempts after the first. @default 2 */
  maxRetries?: number | undefined
  /** Methods that are retried. @default GET HEAD OPTIONS PUT DELETE QUERY */
  methods?: readonly string[] | undefined
  /** Statuses that are retried; 413 only if the response says when. @default 408 413 425 429 500 502 503 504 */
  statuses?: readonly number[] | undefined
  /** Whether a response with another status than 429 is a refusal for a limit, too. */
  isThrottled?: ((response: Response) => boolean) | undefined
  /** Called after each failed attempt and each status from 400. May return a promise. */
  shouldRetry?: ((attempt: Attempt) => RetryDecision | PromiseLike<RetryDecision>) | undefined
  /** Whether a throttled request of another method may be sent again. @default false */
  retryNonIdempotent?: boolean | ((request: Request, response: Response) => boolean) | undefined
  /** Returns the least ms before the `times`-th retry (from 0). Anything but a finite number from 0 is ignored. */
  backoff?: ((times: number, reason: RetryReason) => number) | undefined
  /** From 0 to below 1. @default Math.random */
  random?: (() => number) | undefined
  /** A call that the gate would hold for longer is given up at once. Jitter of up to 5 s may come on top. @default 60_000 */
  maxWaitMs?: number | undefined
  /** The longest cooldown after a refusal, whatever the server asks for. @default 600_000 */
  maxGateMs?: number | undefined
  /** Idle buckets above this number are forgotten, from 0. @default 256 */
  maxBuckets?: number | undefined
  /** Ms from sending to the response's headers, from 1; later the attempt fails with a `TimeoutError`. From 2^31 on: never. @default Infinity */
  attemptTimeoutMs?: number | undefined
  /** Ms for a call with all its waits, from 1; later it rejects with a `RateLimitError` 'deadline'. From 2^31 on: never. @default Infinity */
  totalTimeoutMs?: number | undefined
  /** Reject with a `RateLimitError` in place of resolving with a throttled response. @default false */
  throwOnThrottle?: boolean | undefined
  /** More rules for when and whether calls are sent, each an import. @default [] */
  policies?: readonly Policy[] | undefined
  /** Called with each event. What it throws is reported and changes nothing. */
  onEvent?: ((event: FetchEvent) => void) | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** All options, with their defaults. */
export interface KernelOptions extends ComposeOptions {
  readonly concurrency: number
  readonly maxQueue: number
  readonly overflow: NonNullable<ComposeOptions['overflow']>
  readonly maxRetries: number
  readonly methods: readonly string[]
  readonly statuses: readonly number[]
  readonly retryNonIdempotent: NonNullable<ComposeOptions['retryNonIdempotent']>
  readonly random: () => number
  readonly maxWaitMs: number
  readonly maxGateMs: number
  readonly maxBuckets: number
  readonly attemptTimeoutMs: number
  readonly totalTimeoutMs: number
  readonly throwOnThrottle: boolean
  readonly policies: readonly Policy[]
  readonly clock: Clock
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
 * Checks the numbers: from 0, or from 1 where the default is Infinity. In development also everything else.
 *
 * @throws RangeError that names a number out of range. In development a RangeError or TypeError for any other wrong value, and for
 * an option that does not exist.
 */
export function checkOptions(options: object): void {
  adviseOnFetchOptions(options, defaults)
  for (const [name, value] of Object.entries(options) as [keyof KernelOptions, number | undefined][]) {
    const usual = defaults[name]
    if (typeof usual === 'number' && value !== undefined) checkFrom(Number(usual === Infinity), name, value)
  }
}

/** `options` with the defaults for what is undefined. @throws RangeError or TypeError that names an option out of range. */
export function withDefaults(options: ComposeOptions): KernelOptions {
  checkOptions(options)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) }
}
