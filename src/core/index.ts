export { createAdaptiveLimiter } from './adaptive/adaptive-limiter.ts'
export type {
  AdaptiveLimiter,
  AdaptiveLimiterOptions,
  RateChange,
} from './adaptive/adaptive-limiter-types.ts'
export { aimd, type AimdOptions } from './adaptive/aimd.ts'
export { allOf } from './limit/all-of.ts'
export { batch, type Batch, type BatchChanges, type BatchOptions } from './debounce/batch.ts'
export type { CallOutcome } from './adaptive/call-outcome.ts'
export { createCircuitBreaker } from './adaptive/circuit-breaker.ts'
export type {
  CircuitAdmission,
  CircuitBreaker,
  CircuitBreakerOptions,
  CircuitDecision,
  CircuitEvent,
  CircuitSnapshot,
  CircuitState,
} from './adaptive/circuit-breaker-types.ts'
export { systemClock, wallClock, type Clock } from './time/clock.ts'
export { createConcurrencyLimiter } from './adaptive/concurrency-limiter.ts'
export type {
  AcquireOptions,
  AdaptiveLimit,
  ConcurrencyChanges,
  ConcurrencyLimiter,
  ConcurrencyLimiterOptions,
  ConcurrencySnapshot,
  Release,
} from './adaptive/concurrency-limiter-types.ts'
export { debounce } from './debounce/debounce.ts'
export type {
  Debounced,
  DebounceChanges,
  DebounceOptions,
  DebounceTiming,
  HeldAndTimed,
} from './debounce/debounce-types.ts'
export { debounceAsync, type DebounceAsyncOptions, type DebouncedAsync } from './debounce/debounce-async.ts'
export { debounceKeyed, type DebouncedByKey, type DebounceKeyedOptions } from './debounce/debounce-keyed.ts'
export { every } from './limit/every.ts'
export { RateLimitError, type RateLimitErrorCode } from './shared/errors.ts'
export { gradientLimit, type GradientLimit, type GradientLimitOptions } from './adaptive/gradient-limit.ts'
export type { Held, Pending } from './debounce/held.ts'
export {
  createKeyedLimiter,
  type KeyedDeniedEvent,
  type KeyedLimiter,
  type KeyedLimiterOptions,
  type KeyedLimiterSnapshot,
} from './limit/keyed-limiter.ts'
export { createLimiter, createWaitingLimiter } from './limit/limiter.ts'
export { limiterHealth, type LimiterHealth, type LimiterHealthOptions } from './adaptive/limiter-health.ts'
export type {
  Decision,
  DeniedEvent,
  Limiter,
  LimiterOptions,
  LimiterSnapshot,
  Reservation,
  WaitingLimiter,
  WaitOptions,
} from './limit/limiter-types.ts'
export { createQueue } from './queue/queue.ts'
export type {
  Queue,
  QueueAddOptions,
  QueueChanges,
  QueueOptions,
  QueueOverflow,
  QueueSnapshot,
  QueueTask,
} from './queue/queue-types.ts'
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
export { sampled } from './adaptive/sampled.ts'
export type { RateStrategy } from './adaptive/rate-strategy.ts'
export type { BatchFlush } from './debounce/settle-batch.ts'
export { sometimes, type SometimesOptions } from './debounce/sometimes.ts'
export type { Outcome } from './debounce/task-call.ts'
export { successRatio, type SuccessRatioOptions } from './adaptive/success-ratio.ts'
export { throttle, type ThrottleOptions } from './debounce/throttle.ts'
export { throttleFrame, type ThrottleFrameOptions } from './debounce/throttle-frame.ts'
export { TokenBucket, type TokenBucketLimiterOptions } from './limit/token-bucket.ts'
export type { AbortableTask } from './shared/until-aborted.ts'
