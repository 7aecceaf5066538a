import type { RateLimitedFetchOptions } from './create-rate-limited-fetch.ts'
import type { RateLimitedRequestInit } from './options.ts'
import type { BucketSnapshot, FetchSnapshot } from './snapshot.ts'

/** A rate-limited `fetch`. Its methods need no receiver. */
export interface RateLimitedFetch<Options = RateLimitedFetchOptions> {
  (input: RequestInfo | URL, init?: RateLimitedRequestInit): Promise<Response>
  /** Returns the state of all buckets, or of one; undefined for a key never used. The same object as long as nothing has changed. */
  snapshot: {
    (): FetchSnapshot
    (key: string): BucketSnapshot | undefined
  }
  /** Calls `listener` whenever the snapshot may have changed, the opening of a gate included. Returns what ends that. */
  subscribe: (listener: () => void) => () => void
  /** Sends nothing more to the bucket, or to any, until `resume`. Independent of the server's gate: both must be open. */
  pause: (key?: string) => void
  resume: (key?: string) => void
  /** Forgets what the servers have asked for: gates open, and policies start again. */
  reset: (key?: string) => void
  /** Changes the options given, from now on; undefined is the default. @throws as the creation does; nothing changes then. */
  configure: (changes: Omit<Options, 'clock'>) => void
  /** Rejects all calls that wait, and all later ones, with an `AbortError`. What is in flight finishes. */
  dispose: () => void
  [Symbol.dispose]: () => void
}

/** A fetch: the platform's, a rate-limited one, or a wrapper of either. */
export type FetchFunction = (input: RequestInfo | URL, init?: RateLimitedRequestInit) => Promise<Response>
