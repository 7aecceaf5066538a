export { createAdaptiveLimiter } from './adaptive-limiter.ts'
export type { AdaptiveLimiter, AdaptiveLimiterOptions, RateChange } from './adaptive-limiter-types.ts'
export { aimd, type AimdOptions } from './aimd.ts'
export { allOf } from './all-of.ts'
export { batch, type Batch, type BatchChanges, type BatchOptions } from './batch.ts'
export type { CallOutcome } from './call-outcome.ts'
export { createCircuitBreaker } from './circuit-breaker.ts'
export type {
  CircuitAdmission,
  CircuitBreaker,
  CircuitBreakerOptions,
  CircuitDecision,
  CircuitEvent,
  CircuitSnapshot,
  CircuitState,
} from './circuit-breaker-types.ts'
export { systemClock, wallClock, type Clock } from './clock.ts'
export { createConcurrencyLimiter } from './concurrency-limiter.ts'
export type {
  AcquireOptions,
  AdaptiveLimit,
  ConcurrencyChanges,
  ConcurrencyLimiter,
  ConcurrencyLimiterOptions,
  ConcurrencySnapshot,
  Release,
} from './concurrency-limiter-types.ts'
export { debounce } from './debounce.ts'
export type {
  Debounced,
  DebounceChanges,
  DebounceOptions,
  DebounceTiming,
  HeldAndTimed,
} from './debounce-types.ts'
export { debounceAsync, type DebounceAsyncOptions, type DebouncedAsync } from './debounce-async.ts'
export { debounceKeyed, type DebouncedByKey, type DebounceKeyedOptions } from './debounce-keyed.ts'
export { every } from './every.ts'
export { RateLimitError, type RateLimitErrorCode } from './errors.ts'
export { gradientLimit, type GradientLimit, type GradientLimitOptions } from './gradient-limit.ts'
export type { Held, Pending } from './held.ts'
export {
  createKeyedLimiter,
  type KeyedDeniedEvent,
  type KeyedLimiter,
  type KeyedLimiterOptions,
  type KeyedLimiterSnapshot,
} from './keyed-limiter.ts'
export { createLimiter } from './limiter.ts'
export { limiterHealth, type LimiterHealth, type LimiterHealthOptions } from './limiter-health.ts'
export type {
  Decision,
  DeniedEvent,
  Limiter,
  LimiterOptions,
  LimiterSnapshot,
  Reservation,
  WaitOptions,
} from './limiter-types.ts'
export { createQueue } from './queue.ts'
export type {
  Queue,
  QueueAddOptions,
  QueueChanges,
  QueueOptions,
  QueueOverflow,
  QueueSnapshot,
  QueueTask,
} from './queue-types.ts'
export { createRateMeter, type RateMeter, type RateMeterOptions, type RateMeterState } from './rate-meter.ts'
export { fixedWindow, type WindowChanges, type WindowOptions } from './rules/fixed-window.ts'
export { gcra, type GcraChanges, type GcraOptions } from './rules/gcra.ts'
export { leakyBucket, type LeakyBucketChanges, type LeakyBucketOptions } from './rules/leaky-bucket.ts'
export type { Rule, RuleChanges } from './rules/rule.ts'
export { slidingWindowCounter } from './rules/sliding-window-counter.ts'
export { slidingWindowLog } from './rules/sliding-window-log.ts'
export { tokenBucket, type TokenBucketChanges, type TokenBucketOptions } from './rules/token-bucket.ts'
export { sampled } from './sampled.ts'
export type { RateStrategy } from './rate-strategy.ts'
export type { BatchFlush } from './settle-batch.ts'
export { sometimes, type SometimesOptions } from './sometimes.ts'
export type { Outcome } from './task-call.ts'
export { successRatio, type SuccessRatioOptions } from './success-ratio.ts'
export { throttle, type ThrottleOptions } from './throttle.ts'
export { throttleFrame, type ThrottleFrameOptions } from './throttle-frame.ts'
export { TokenBucket, type TokenBucketLimiterOptions } from './token-bucket.ts'
export type { AbortableTask } from './until-aborted.ts'
