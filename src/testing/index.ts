export { createManualClock, type ManualClock } from './create-manual-clock.ts'
export { resetSharedFetch } from './reset-shared-fetch.ts'
