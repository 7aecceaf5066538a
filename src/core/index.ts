export {
  createAdaptiveLimiter,
  type AdaptiveLimiter,
  type AdaptiveLimiterOptions,
  type RateChange,
} from './adaptive/adaptive-limiter.ts'
export {
  aimd,
  successRatio,
  type AimdOptions,
  type RateStrategy,
  type SuccessRatioOptions,
} from './adaptive/rate-strategies.ts'
export { allOf, type WaitingOnly } from './limit/all-of.ts'
export { batch, type Batch, type BatchChanges, type BatchFlush, type BatchOptions } from './debounce/batch.ts'
export type { CallOutcome } from './adaptive/call-outcome.ts'
export {
  createCircuitBreaker,
  type CircuitAdmission,
  type CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitDecision,
  type CircuitEvent,
  type CircuitSnapshot,
  type CircuitState,
} from './adaptive/circuit-breaker.ts'
export { systemClock, wallClock, type Clock, type Timers } from './time/clock.ts'
export {
  createConcurrencyLimiter,
  type AdaptiveLimit,
  type ConcurrencyChanges,
  type ConcurrencyLimiter,
  type ConcurrencyLimiterOptions,
  type ConcurrencySnapshot,
  type Release,
} from './adaptive/concurrency-limiter.ts'
export {
  debounce,
  type AnyFunction,
  type DebounceChanges,
  type Debounced,
  type DebounceOptions,
  type DebounceTiming,
  type DelayedFunction,
  type Pending,
} from './debounce/debounce.ts'
export {
  debounceAsync,
  type DebounceAsyncOptions,
  type DebouncedAsync,
  type Outcome,
} from './debounce/debounce-async.ts'
export { debounceKeyed, type DebounceKeyedOptions, type DebouncedByKey } from './debounce/debounce-keyed.ts'
export { every } from './limit/every.ts'
export { RateLimitError, type RateLimitErrorCode } from './shared/errors.ts'
export { gradientLimit, type GradientLimit, type GradientLimitOptions } from './adaptive/gradient-limit.ts'
export {
  createKeyedLimiter,
  type KeyedDeniedEvent,
  type KeyedLimiter,
  type KeyedLimiterOptions,
  type KeyedLimiterSnapshot,
} from './limit/keyed-limiter.ts'
export {
  createLimiter,
  type Decision,
  type DeniedEvent,
  type Limiter,
  type LimiterOptions,
  type LimiterSnapshot,
} from './limit/limiter.ts'
export {
  limiterHealth,
  sampled,
  type LimiterHealth,
  type LimiterHealthOptions,
} from './adaptive/limiter-health.ts'
export {
  createQueue,
  type Queue,
  type QueueAddOptions,
  type QueueChanges,
  type QueueOptions,
  type QueueOverflow,
  type QueueSnapshot,
  type QueueTask,
} from './queue/queue.ts'
export {
  createRateMeter,
  type RateMeter,
  type RateMeterOptions,
  type RateMeterState,
} from './adaptive/rate-meter.ts'
export { fixedWindow, type WindowChanges, type WindowOptions } from './limit/rules/fixed-window.ts'
export { gcra, type GcraChanges, type GcraOptions } from './limit/rules/gcra.ts'
export { leakyBucket, type LeakyBucketChanges, type LeakyBucketOptions } from './limit/rules/leaky-bucket.ts'
export type { Rule, RuleChanges } from './limit/rules/rule.ts'
export { slidingWindowCounter } from './limit/rules/sliding-window-counter.ts'
export { slidingWindowLog } from './limit/rules/sliding-window-log.ts'
export { tokenBucket, type TokenBucketChanges, type TokenBucketOptions } from './limit/rules/token-bucket.ts'
export { sometimes, type SometimesOptions } from './debounce/sometimes.ts'
export { throttle, type ThrottleOptions } from './debounce/throttle.ts'
export { throttleFrame, type ThrottleFrameOptions } from './debounce/throttle-frame.ts'
export { TokenBucket, type TokenBucketLimiterOptions } from './limit/token-bucket.ts'
export type { AbortableTask } from './shared/abort.ts'
export type { Observable } from './shared/store.ts'
export {
  createWaitingLimiter,
  type Reservation,
  type WaitingLimiter,
  type WaitingLimiterSnapshot,
  type WaitOptions,
} from './limit/waiting-limiter.ts'
export { withBlocks, type BlockingKeyedLimiter } from './limit/with-blocks.ts'
