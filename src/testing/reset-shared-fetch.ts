import { resetPageSlots } from '../react/fetch-slot.ts'

/**
 * Discards the rate-limited fetch that all components share (`useRateLimitedFetch()` without an argument), so that a cooldown
 * does not leak from one test into the next. Call it in `beforeEach`, with no component mounted: mounted ones keep the old fetch.
 *
 * The timers of the old fetch end, and its waiting calls reject with an `AbortError`. The next component makes a new fetch.
 */
export const resetSharedFetch: () => void = resetPageSlots
