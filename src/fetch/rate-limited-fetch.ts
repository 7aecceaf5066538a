import type { RateLimitedFetchOptions } from './create-rate-limited-fetch.ts'
import type { RateLimitedRequestInit } from './options.ts'
import type { BucketSnapshot, FetchSnapshot } from './snapshot.ts'

/** A rate-limited `fetch`. Its methods need no receiver. */
export interface RateLimitedFetch<Options = RateLimitedFetchOptions> extends FetchFunction {
  /** Returns the state of all buckets or of one, undefined for an unknown key. The same object while nothing has changed. */
  snapshot: {
    (key: string): BucketSnapshot | undefined
    // Last, because TypeScript infers from the last overload, as in `useLimiter`.
    (): FetchSnapshot
  }
  /** Calls `listener` when the snapshot may have changed, also when a gate opens. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
  /** Stops sending for one bucket, or for all, until `resume`. The server's gate is independent of this. */
  pause: (key?: string) => void
  resume: (key?: string) => void
  /** Forgets what the servers said: gates open, and policies start again. */
  reset: (key?: string) => void
  /** Changes options; undefined means the default. @throws as the creation does, and then changes nothing */
  configure: (changes: Omit<Options, 'clock'>) => void
  /** Rejects all waiting and all later calls with an `AbortError`. Requests in flight finish. */
  dispose: () => void
  [Symbol.dispose]: () => void
}

/** A fetch: the platform's, a rate-limited one, or a wrapper of either. */
export type FetchFunction = (
  input: string | URL | Request,
  init?: RateLimitedRequestInit,
) => Promise<Response>
