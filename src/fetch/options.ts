import type { Clock } from '../core/clock.ts'
import type { Rule } from '../core/rules/rule.ts'
import type { RetryReason } from './backoff.ts'
import type { FetchEvent } from './events.ts'
import type { Breaker, Decide, HoldSlot, RetryBudget, Share } from './plug-ins.ts'

/** Which of the calls that wait goes first. What a fetch calls `auto`, or not at all, is in the middle. */
export type Priority = 'high' | 'auto' | 'low'

/** `init.rateLimit`: what holds for one call only. */
export interface CallOptions {
  /** @default init.priority */
  priority?: Priority | undefined
  maxWaitMs?: number | undefined
  maxQueueTimeMs?: number | undefined
  totalTimeoutMs?: number | undefined
  /** Is given, when the call begins to wait, what raises its priority: for whoever joins several calls in one. */
  promotion?: ((promote: (priority: Priority) => void) => void) | undefined
}

export interface RateLimitedFetchOptions {
  /** What sends. Looked up when sending: `globalThis.fetch` as it then is. */
  fetch?: typeof fetch | undefined
  /**
   * Which bucket a request counts in; null: none, it is only passed on. Of several, as of an API and one of its routes,
   * all gates must be open; the rest is the last one's. @default the URL's origin
   */
  key?: ((request: Request) => string | readonly string[] | null) | undefined
  /** Of a call with several keys: whether a throttle is that of the first, the most general. @default it has `RateLimit` */
  isGlobal?: ((response: Response) => boolean) | undefined
  /** Requests per second in each bucket. @default Infinity */
  ratePerSecond?: number | undefined
  /** The most requests that may go out at once after a rest. @default what comes in a second, at least 1 */
  burst?: number | undefined
  /** Another rule in place of `ratePerSecond` and `burst`, such as `slidingWindowLog` for never more than n in any window. */
  rule?: Rule | undefined
  /** Requests in flight in each bucket, from sending to the response's headers. @default Infinity */
  concurrency?: number | undefined
  /** Requests in flight in all buckets together. @default Infinity */
  maxInFlight?: number | undefined
  /** Until when a response holds its place in `concurrency`: `untilBodyRead`. @default its headers */
  holdSlot?: HoldSlot | undefined
  /** Calls that wait in each bucket. @default 1000 */
  maxQueue?: number | undefined
  /**
   * Who is refused when the queue is full: the new call, the one that has waited longest, or the one that has waited
   * longest of the lowest priority. @default 'reject-new'
   */
  overflow?: 'reject-new' | 'drop-oldest' | 'drop-lowest' | undefined
  /** A call that is not sent in that time is given up; at once, if the gate is known to be closed for longer. @default Infinity */
  maxQueueTimeMs?: number | undefined
  /** A call that waits rises by one priority each time. @default 10_000 */
  agingMs?: number | undefined
  /** How often a request is sent again. @default 2 */
  maxRetries?: number | undefined
  /** Methods that may be sent again. @default GET HEAD OPTIONS PUT DELETE QUERY */
  methods?: readonly string[] | undefined
  /** Statuses that are retried, 413 only if it says when. @default 408 413 425 429 500 502 503 504 */
  statuses?: readonly number[] | undefined
  /** Whether a response of another status than 429 is a throttle too. */
  isThrottled?: ((response: Response) => boolean) | undefined
  /** Asked about every failure and status from 400: true or false decides whether to send again, undefined leaves it. */
  shouldRetry?: Decide | undefined
  /** Whether a throttled request of another method may be sent again. @default false */
  retryNonIdempotent?: boolean | ((request: Request, response: Response) => boolean) | undefined
  /** Whether a streamed body is sent again: it is kept in memory for that. @default false */
  replayStreams?: boolean | undefined
  /** `createRetryBudget()`: how many retries there may be for how many successes. @default no limit */
  retryBudget?: RetryBudget | undefined
  /** Is asked before each attempt, and told of its outcome. */
  breaker?: Breaker | undefined
  /** Ms to wait before the `times`-th (from 0) repeat, at least; a bad answer is replaced by the default. R39 */
  backoff?: ((times: number, reason: RetryReason) => number) | undefined
  /** From 0 to below 1. @default Math.random */
  random?: (() => number) | undefined
  /** Take nothing from a `Retry-After` but what RFC 9110 lets a server send. @default false */
  strict?: boolean | undefined
  /** A call that would wait longer at the gate is given up at once; the jitter, up to 5 s, comes on top. @default 60_000 */
  maxWaitMs?: number | undefined
  /** The longest that a gate stays closed after a throttle, whatever the server asks; then one probe goes. @default 600_000 */
  maxGateMs?: number | undefined
  /** The longest that a legacy `X-RateLimit-Remaining: 0` closes a gate before anything was refused. @default 60_000 */
  maxPreemptiveMs?: number | undefined
  /** What a throttle that names no time closes: its bucket's gate, or nothing but its own call. @default 'bucket' */
  headerless?: 'bucket' | 'request' | undefined
  /** Buckets kept; those idle for a minute make room for new ones; beyond, new keys share one. @default 256 */
  maxBuckets?: number | undefined
  /** Ms from sending to the response's headers; then it counts as a network error, a `TimeoutError`. @default Infinity */
  attemptTimeoutMs?: number | undefined
  /** Ms for all of a call, its waits included. @default Infinity */
  totalTimeoutMs?: number | undefined
  /** After a pause: one request, then 2, 4, 8 …, or all at once. @default 'ramp' */
  resume?: 'ramp' | 'all' | undefined
  /** Whether to learn what the server lets through, and keep below it. @default 'learn' */
  pace?: 'learn' | 'fixed' | undefined
  /** Whether the cost that a server names for a request is what the next ones take. @default false */
  adaptiveCost?: boolean | undefined
  /** Reject with a `RateLimitError` in place of resolving with a throttled response. @default false */
  throwOnThrottle?: boolean | undefined
  /** What a network error is followed by when the browser is offline: the usual retries, or waiting until it is online. @default 'fail' */
  offline?: 'fail' | 'wait' | undefined
  /** Whether nothing is sent while the page is hidden. @default false */
  pauseWhenHidden?: boolean | undefined
  /** A `keepalive` request goes out past queue and gate and once only, waits like any other, or is refused if it would. @default 'bypass' */
  keepalive?: 'bypass' | 'queue' | 'reject' | undefined
  /** Tells other tabs of closed gates, and hears of theirs. @default none */
  share?: Share | undefined
  /** Told of everything that happens. What it throws is reported, and changes nothing. */
  onEvent?: ((event: FetchEvent) => void) | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}
