export { createManualClock, type ManualClock } from './create-manual-clock.ts'
export { resetSharedFetch } from '../react/fetch-slot.ts'
