import type { RateLimitedFetchOptions } from './create-rate-limited-fetch.ts'
import type { RateLimitedRequestInit } from './options.ts'
import type { BucketSnapshot, FetchSnapshot } from './snapshot.ts'

/** A rate-limited `fetch`. Its methods need no receiver. */
export interface RateLimitedFetch<Options = RateLimitedFetchOptions> {
  (input: string | URL | Request, init?: RateLimitedRequestInit): Promise<Response>
  /** Returns the state of all buckets, or of one; undefined for an unknown key. The same object as long as nothing has changed. */
  snapshot: {
    (key: string): BucketSnapshot | undefined
    // Last: where one type is inferred from all, as in `useLimiter`, it is this.
    (): FetchSnapshot
  }
  /** Calls `listener` when the snapshot may have changed, also when a gate opens. Returns a function that ends that. */
  subscribe: (listener: () => void) => () => void
  /** Sends nothing more of the bucket, or of any, until `resume`. Independent of the server's gate: both must be open. */
  pause: (key?: string) => void
  resume: (key?: string) => void
  /** Forgets what the servers have said: gates open, and policies start again. */
  reset: (key?: string) => void
  /** Changes these options from now on; undefined means the default. @throws as the creation does; then nothing changes. */
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
