export type { RetryReason } from './backoff.ts'
export { createRateLimitedFetch } from './create-rate-limited-fetch.ts'
export type { RateLimitedFetch } from './rate-limited-fetch.ts'
export type { RateLimitedRequestInit } from './call.ts'
export { dedupeFetch, type DedupeFetchOptions } from './dedupe-fetch.ts'
export { isRateLimitError, retryAfterMs, type ThrottledError } from './errors.ts'
export type { CallPhase, DropReason, FetchEvent, GiveUpReason, WaitSource } from './events.ts'
export type { FetchFunction } from './fetch-function.ts'
export type { CallOptions, Priority, RateLimitedFetchOptions } from './options.ts'
export { parseRetryAfter, type RetryAfterOptions } from './parse-retry-after.ts'
export type { Attempt, Breaker, Decide, HoldSlot, RetryAccount, RetryBudget, Share } from './plug-ins.ts'
export type { RateLimitPolicy, RateLimitState } from './read-limits.ts'
export { readRateLimit, type RateLimitReading, type ReadRateLimitOptions } from './read-rate-limit.ts'
export { createRetryBudget, type RetryBudgetOptions } from './retry-budget.ts'
export type {
  BucketSnapshot,
  FetchSnapshot,
  GateSnapshot,
  LimitsSnapshot,
  PaceSnapshot,
  QuotaSnapshot,
} from './snapshot-types.ts'
export { supersedeFetch, type SupersedeFetchOptions } from './supersede-fetch.ts'
export { untilBodyRead } from './until-body-read.ts'
