import type { createRateLimitedFetch, RateLimitedFetchOptions } from 'lull/fetch'
import type { createManualClock } from 'lull/testing'

export interface RaceResult {
  /** Of the goodput of the client that knows the limit. */
  share: number
  /** Calls served per second. */
  goodput: number
  tookMs: number
  requests: number
  refusals: number
  /** Requests sent before the latest `Retry-After` that had been received was over. */
  early: number
  /** Calls not served. */
  failed: number
  /** Requests from the first one after the first pause until 50 ms later, those included. */
  within50: number
  /** The same, without those exactly 50 ms later. */
  before50: number
  /** What is left on the clock. */
  pending: number
}

export function raceOnVirtualClock(
  lull: {
    createRateLimitedFetch: typeof createRateLimitedFetch
    createManualClock: typeof createManualClock
  },
  race: {
    name: string
    /** Of the stream of calls. @default all at once */
    poissonSeed?: number | undefined
    /** Of the client's random numbers. */
    randomSeed: number
    options?: RateLimitedFetchOptions | undefined
  },
): Promise<RaceResult>
