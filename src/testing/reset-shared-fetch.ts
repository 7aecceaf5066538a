import { resetPageSlots } from '../react/fetch-slot.ts'

/**
 * Forgets the rate-limited fetch that all components share (that of `useRateLimitedFetch()` without an argument), so that a cooldown
 * does not leak from one test into the next. Call it in `beforeEach`: components must be unmounted by then, for those that are
 * mounted keep the old one.
 *
 * Its timers end, and calls that wait reject with an `AbortError`. The next component makes a new one.
 */
export const resetSharedFetch: () => void = resetPageSlots
