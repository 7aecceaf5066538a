export { createManualClock, type ManualClock } from './create-manual-clock.ts'
