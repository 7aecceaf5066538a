export { systemClock, wallClock, type Clock } from './clock.ts'
export {
  debounce,
  type Debounced,
  type DebounceChanges,
  type DebounceOptions,
  type DebounceTiming,
  type HeldAndTimed,
} from './debounce.ts'
export { RateLimitError, type RateLimitErrorCode } from './errors.ts'
export type { Held, Pending } from './held.ts'
export { throttle, type ThrottleOptions } from './throttle.ts'
export { throttleFrame, type ThrottleFrameOptions } from './throttle-frame.ts'
