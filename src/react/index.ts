// Ordered by use: values, functions, events, promises, then limits.
export { useDebounce, useThrottle } from './hooks/use-debounce.ts'
export type {
  Commit,
  DebounceValueOptions,
  Equals,
  ThrottleValueOptions,
  ValueOptions,
} from './hooks/use-debounce.ts'
export {
  useDebouncedCallback,
  useThrottledCallback,
  type DebouncedCallbackOptions,
  type ThrottledCallbackOptions,
} from './hooks/use-debounced-callback.ts'
export type { AnyFunction, Debounced, Pending } from '../core/debounce/debounce.ts'
export {
  useDebouncedState,
  type DebouncedStateOptions,
  type SetDebounced,
} from './hooks/use-debounced-state.ts'
export {
  useDebouncedAsync,
  type AsyncStatus,
  type DebouncedAsyncOptions,
  type DebouncedAsyncState,
} from './hooks/use-debounced-async.ts'
export type { LeavingOptions, TimingOptions } from './use-lifecycle.ts'
export {
  composing,
  createCondition,
  pageHidden,
  pageHide,
  type Attached,
  type Condition,
  type Trigger,
  type Triggers,
} from './attachments.ts'
export {
  useThrottledEvent,
  type ThrottledEventOptions,
  type ThrottledHandlerOptions,
} from './hooks/use-throttled-event.ts'
export { useThrottledResize, type ThrottledResizeOptions } from './hooks/use-throttled-resize.ts'
export type { TargetSource } from './use-connection.ts'
export { useBatch, type UseBatchOptions } from './hooks/use-batch.ts'

export { useRateLimitedFetch } from './hooks/use-rate-limited-fetch.ts'
export { useRateLimitStatus } from './hooks/use-rate-limit-status.ts'
export { RateLimitProvider, type RateLimitProviderProps } from './rate-limit-provider.tsx'
export { useCountdown } from './hooks/use-countdown.ts'
export { useIsPending, useLimiter } from './hooks/use-limiter.ts'
export type { Observable } from '../core/shared/store.ts'
export { useRateMeter, type RateMeterViewOptions } from './hooks/use-rate-meter.ts'

export { ClockProvider, useClock, type ClockProviderProps } from './clock-provider.tsx'
