import { checkArray, checkFunction, checkOneOf } from '../core/check.ts'
import { checkAbove, checkFrom } from '../core/rules/check-number.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import type { RetryReason } from './backoff.ts'
import type { FetchEvent } from './events.ts'

export interface RateLimitedFetchOptions {
  /** What sends. Looked up when sending: `globalThis.fetch` as it then is. */
  fetch?: typeof fetch | undefined
  /** Which bucket a request counts in; null: none, it is only passed on. @default the URL's origin */
  key?: ((request: Request) => string | null) | undefined
  /** Requests per second in each bucket. @default Infinity */
  ratePerSecond?: number | undefined
  /** The most requests that may go out at once after a rest. @default what comes in a second, at least 1 */
  burst?: number | undefined
  /** Requests in flight in each bucket, from sending to the response's headers. @default Infinity */
  concurrency?: number | undefined
  /** Calls that wait in each bucket. @default 1000 */
  maxQueue?: number | undefined
  /** Who is refused when the queue is full: the new call, or the one that has waited longest. @default 'reject-new' */
  overflow?: 'reject-new' | 'drop-oldest' | undefined
  /** How often a request is sent again. @default 2 */
  maxRetries?: number | undefined
  /** Methods that may be sent again. @default GET HEAD OPTIONS PUT DELETE QUERY */
  methods?: readonly string[] | undefined
  /** Statuses that are retried, 413 only if it says when. @default 408 413 425 429 500 502 503 504 */
  statuses?: readonly number[] | undefined
  /** Whether a response of another status than 429 is a throttle too. */
  isThrottled?: ((response: Response) => boolean) | undefined
  /** Whether a throttled request of another method may be sent again. @default false */
  retryNonIdempotent?: boolean | ((request: Request, response: Response) => boolean) | undefined
  /** Ms to wait before the `times`-th (from 0) repeat, at least; a bad answer is replaced by the default. R39 */
  backoff?: ((times: number, reason: RetryReason) => number) | undefined
  /** From 0 to below 1. @default Math.random */
  random?: (() => number) | undefined
  /** A call that would wait longer at the gate is given up at once. @default 60_000 */
  maxWaitMs?: number | undefined
  /** The longest that a gate stays closed after a throttle, whatever the server asks; then one probe goes. @default 600_000 */
  maxGateMs?: number | undefined
  /** Buckets kept; the idle ones make room for new ones. @default 256 */
  maxBuckets?: number | undefined
  /** After a pause: one request, then 2, 4, 8 …, or all at once. @default 'ramp' */
  resume?: 'ramp' | 'all' | undefined
  /** Reject with a `RateLimitError` in place of resolving with a throttled response. @default false */
  throwOnThrottle?: boolean | undefined
  /** Told of everything that happens. What it throws is reported, and changes nothing. */
  onEvent?: ((event: FetchEvent) => void) | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** The options, with every default in its place. */
export type Settings = {
  readonly [Name in keyof RateLimitedFetchOptions]-?: Name extends 'fetch' | 'backoff' | 'onEvent' | 'burst'
    ? RateLimitedFetchOptions[Name]
    : NonNullable<RateLimitedFetchOptions[Name]>
}

export const defaultSettings: Settings = {
  fetch: undefined,
  key: (request) => new URL(request.url).origin,
  ratePerSecond: Infinity,
  burst: undefined,
  concurrency: Infinity,
  maxQueue: 1000,
  overflow: 'reject-new',
  maxRetries: 2,
  methods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY'],
  statuses: [408, 413, 425, 429, 500, 502, 503, 504],
  isThrottled: () => false,
  retryNonIdempotent: false,
  backoff: undefined,
  random: Math.random,
  maxWaitMs: 60_000,
  maxGateMs: 600_000,
  maxBuckets: 256,
  resume: 'ramp',
  throwOnThrottle: false,
  onEvent: undefined,
  clock: systemClock,
}

/** The limits in force. */
export type Limits = Record<'ratePerSecond' | 'burst' | 'concurrency', number>

/** The limits of `settings`: a burst that is not given is what comes in a second. */
export function limitsOf({
  ratePerSecond,
  burst = Math.max(1, ratePerSecond),
  concurrency,
}: Settings): Limits {
  return { ratePerSecond, burst, concurrency }
}

/** `settings` with the `changes`, where undefined is the default, all checked. */
export function changeSettings(settings: Settings, changes: RateLimitedFetchOptions): Settings {
  const changed: Settings = { ...settings, ...changes } as Settings
  for (const name of Object.keys(defaultSettings) as (keyof Settings)[])
    if (changed[name] === undefined) Object.assign(changed, { [name]: defaultSettings[name] })
  for (const name of ['key', 'isThrottled', 'random'] as const) checkFunction(name, changed[name])
  for (const name of ['fetch', 'backoff', 'onEvent'] as const) {
    if (changed[name] !== undefined) checkFunction(name, changed[name])
  }
  for (const name of ['maxQueue', 'maxRetries', 'maxWaitMs', 'maxGateMs'] as const)
    checkFrom(0, name, changed[name])
  for (const name of ['concurrency', 'maxBuckets'] as const) checkFrom(1, name, changed[name])
  if (changed.burst !== undefined) checkFrom(1, 'burst', changed.burst)
  checkAbove(0, 'ratePerSecond', changed.ratePerSecond)
  for (const name of ['methods', 'statuses'] as const) checkArray(name, changed[name])
  checkOneOf(['reject-new', 'drop-oldest'], 'overflow', changed.overflow)
  checkOneOf(['ramp', 'all'], 'resume', changed.resume)
  return changed
}
