export { composeRateLimitedFetch } from './compose-rate-limited-fetch.ts'
export { createRateLimitedFetch, type RateLimitedFetchOptions } from './create-rate-limited-fetch.ts'
export { isRateLimitError, retryAfterMs, type ThrottledError } from './errors.ts'
export type { CallPhase, DropReason, EventDetails, FetchEvent, GiveUpReason, WaitSource } from './events.ts'
export type { FetchFunction, RateLimitedFetch } from './rate-limited-fetch.ts'
export type {
  Attempt,
  CallOptions,
  ComposeOptions,
  KernelOptions,
  Priority,
  RateLimitedRequestInit,
  RetryDecision,
  RetryReason,
} from './options.ts'
export type { Call, Outcome } from './kernel/call.ts'
export type { RequestSource } from './kernel/request.ts'
export type { BucketContext, Policy, PolicyHooks, Reading } from './policy.ts'
export { parseRetryAfter, type RetryAfterOptions } from './headers/retry-after.ts'
export type { RateLimitPolicy, RateLimitReading, RateLimitState } from './headers/rate-limit-fields.ts'
export { readRateLimit, type ReadRateLimitOptions } from './headers/read-rate-limit.ts'
export type {
  BucketSnapshot,
  FetchSnapshot,
  GateSnapshot,
  LimitsSnapshot,
  PaceSnapshot,
  QuotaSnapshot,
} from './snapshot.ts'
export { circuitBreaker } from './policies/circuit-breaker.ts'
export { holdSlot, type HoldUntil } from './policies/hold-slot.ts'
export { learnPace, type LearnPaceOptions } from './policies/learn-pace.ts'
export {
  legacyRateLimitFields,
  type LegacyRateLimitFieldsOptions,
} from './policies/legacy-rate-limit-fields.ts'
export { limitRate } from './policies/limit-rate.ts'
export { pageLifecycle, type PageLifecycleOptions } from './policies/page-lifecycle.ts'
export { priorities, type PrioritiesOptions } from './policies/priorities.ts'
export { queueTimeout } from './policies/queue-timeout.ts'
export { rateLimitFields, type RateLimitFieldsOptions } from './policies/rate-limit-fields.ts'
export { retryBudget, type RetryBudgetOptions } from './policies/retry-budget.ts'
export { warnOfHiddenFields } from './policies/warn-of-hidden-fields.ts'
export { untilBodyRead } from './policies/until-body-read.ts'
export { dedupeFetch, type DedupeFetchOptions } from './wrappers/dedupe-fetch.ts'
export { supersedeFetch, type SupersedeFetchOptions } from './wrappers/supersede-fetch.ts'
