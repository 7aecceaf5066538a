export type { AsyncStatus } from './async-state.ts'
export { ClockProvider, useClock, type ClockProviderProps } from './clock-provider.tsx'
export type { Commit } from './commit.ts'
export { composing } from './composing.ts'
export type { Condition } from './condition.ts'
export type { TimingOptions } from './with-timing.ts'
export type { PageLeave } from './page-leave.ts'
export { RateLimitProvider, type RateLimitProviderProps } from './rate-limit-provider.tsx'
export type { Equals } from './same-value.ts'
export { useBatch, type UseBatchOptions } from './hooks/use-batch.ts'
export type { TargetSource } from './hooks/use-connection.ts'
export { useCountdown } from './hooks/use-countdown.ts'
export { useDebounce, type DebounceValueOptions } from './hooks/use-debounce.ts'
export {
  useDebouncedAsync,
  type DebouncedAsyncOptions,
  type DebouncedAsyncState,
} from './hooks/use-debounced-async.ts'
export { useDebouncedCallback, type DebouncedCallbackOptions } from './hooks/use-debounced-callback.ts'
export {
  useDebouncedState,
  type DebouncedStateOptions,
  type SetDebounced,
} from './hooks/use-debounced-state.ts'
export type { ValueOptions } from './hooks/use-follow.ts'
export { useIsPending } from './hooks/use-is-pending.ts'
export type { LeavingOptions } from './create-life.ts'
export { useLimiter } from './hooks/use-limiter.ts'
export { useRateLimitedFetch } from './hooks/use-rate-limited-fetch.ts'
export { useRateLimitStatus } from './hooks/use-rate-limit-status.ts'
export { useRateMeter, type RateMeterViewOptions } from './hooks/use-rate-meter.ts'
export type { Observable } from './observable.ts'
export { useThrottle, type ThrottleValueOptions } from './hooks/use-throttle.ts'
export { useThrottledCallback, type ThrottledCallbackOptions } from './hooks/use-throttled-callback.ts'
export {
  useThrottledEvent,
  type ThrottledEventOptions,
  type ThrottledHandlerOptions,
} from './hooks/use-throttled-event.ts'
export { useThrottledResize, type ThrottledResizeOptions } from './hooks/use-throttled-resize.ts'
