export type { AnyFunction, DebouncedFunction } from '../core/debounce/debounce.ts'
export type { Condition, Trigger, Triggers } from './attach.ts'
export { ClockProvider, useClock, type ClockProviderProps } from './clock-provider.tsx'
export { composing, createCondition } from './conditions.ts'
export type { TargetSource } from './use-connection.ts'
export type { Commit, Equals, ValueOptions } from './use-debounced-value.ts'
export { useBatch, type UseBatchOptions } from './hooks/use-batch.ts'
export { useCountdown } from './hooks/use-countdown.ts'
export { useDebounce, type DebounceValueOptions } from './hooks/use-debounce.ts'
export {
  useDebouncedAsync,
  type AsyncStatus,
  type DebouncedAsyncOptions,
  type DebouncedAsyncState,
} from './hooks/use-debounced-async.ts'
export { useDebouncedCallback, type DebouncedCallbackOptions } from './hooks/use-debounced-callback.ts'
export {
  useDebouncedState,
  type DebouncedStateOptions,
  type SetDebounced,
} from './hooks/use-debounced-state.ts'
export { useIsPending } from './hooks/use-is-pending.ts'
export { useLimiter } from './hooks/use-limiter.ts'
export { useRateLimitedFetch } from './hooks/use-rate-limited-fetch.ts'
export { useRateLimitStatus } from './hooks/use-rate-limit-status.ts'
export { useRateMeter, type RateMeterViewOptions } from './hooks/use-rate-meter.ts'
export { useThrottle, type ThrottleValueOptions } from './hooks/use-throttle.ts'
export { useThrottledCallback, type ThrottledCallbackOptions } from './hooks/use-throttled-callback.ts'
export {
  useThrottledEvent,
  type ThrottledEventOptions,
  type ThrottledHandlerOptions,
} from './hooks/use-throttled-event.ts'
export { useThrottledResize, type ThrottledResizeOptions } from './hooks/use-throttled-resize.ts'
export type { LeavingOptions, TimingOptions } from './use-lifecycle.ts'
export { RateLimitProvider, type RateLimitProviderProps } from './rate-limit-provider.tsx'
export { pageHidden, pageHide } from './triggers.ts'
export type { Observable } from './use-snapshot.ts'
