import type { createRateLimitedFetch, RateLimitedFetchOptions } from 'lull/fetch'
import type { createManualClock } from 'lull/testing'

export interface RaceResult {
  /** The goodput as a share of the omniscient client's. */
  share: number
  /** Calls served per second. */
  goodput: number
  tookMs: number
  requests: number
  refusals: number
  /** Requests sent before the latest `Retry-After` received had passed. */
  early: number
  /** Calls not served. */
  failed: number
  /** Requests from the first one after the first pause until 50 ms later. */
  within50: number
  /** The same, without those exactly 50 ms later. */
  before50: number
  /** Callbacks left on the clock. */
  pending: number
}

export function raceOnVirtualClock(
  lull: {
    createRateLimitedFetch: typeof createRateLimitedFetch
    createManualClock: typeof createManualClock
  },
  race: {
    name: string
    /** The seed of the stream of calls. @default all at once */
    poissonSeed?: number | undefined
    /** The seed of the client's random numbers. */
    randomSeed: number
    options?: RateLimitedFetchOptions | undefined
  },
): Promise<RaceResult>
