export type { AsyncStatus } from './async-state.ts'
export { ClockProvider, useClock, type ClockProviderProps } from './clock-provider.tsx'
export type { Commit } from './commit.ts'
export { composing } from './composing.ts'
export type { Condition } from './condition.ts'
export type { TimingOptions } from './with-timing.ts'
export type { PageLeave } from './page-leave.ts'
export { RateLimitProvider, type RateLimitProviderProps } from './rate-limit-provider.tsx'
export type { Equals } from './same-value.ts'
export { useBatch, type UseBatchOptions } from './use-batch.ts'
export type { TargetSource } from './use-connection.ts'
export { useCountdown } from './use-countdown.ts'
export { useDebounce, type DebounceValueOptions } from './use-debounce.ts'
export {
  useDebouncedAsync,
  type DebouncedAsyncOptions,
  type DebouncedAsyncState,
} from './use-debounced-async.ts'
export { useDebouncedCallback, type DebouncedCallbackOptions } from './use-debounced-callback.ts'
export { useDebouncedState, type DebouncedStateOptions, type SetDebounced } from './use-debounced-state.ts'
export type { ValueOptions } from './use-follow.ts'
export { useIsPending } from './use-is-pending.ts'
export type { LeavingOptions } from './create-life.ts'
export { useLimiter } from './use-limiter.ts'
export { useRateLimitedFetch } from './use-rate-limited-fetch.ts'
export { useRateLimitStatus } from './use-rate-limit-status.ts'
export { useRateMeter, type RateMeterViewOptions } from './use-rate-meter.ts'
export type { Observable } from './observable.ts'
export { useThrottle, type ThrottleValueOptions } from './use-throttle.ts'
export { useThrottledCallback, type ThrottledCallbackOptions } from './use-throttled-callback.ts'
export {
  useThrottledEvent,
  type ThrottledEventOptions,
  type ThrottledHandlerOptions,
} from './use-throttled-event.ts'
export { useThrottledResize, type ThrottledResizeOptions } from './use-throttled-resize.ts'
