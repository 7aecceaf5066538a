export { createAwakeTime, type ForwardTime as AwakeTime } from '../core/time/forward-time.ts'
