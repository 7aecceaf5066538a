import type { RateLimitedRequestInit } from './call.ts'
import type { RateLimitedFetchOptions } from './options.ts'
import type { BucketSnapshot, FetchSnapshot } from './snapshot-types.ts'

/** A `fetch` that paces itself. Its methods are bound, so they may be taken off it. */
export interface RateLimitedFetch {
  (input: RequestInfo | URL, init?: RateLimitedRequestInit): Promise<Response>
  /** The state of one bucket, or of all. The same object as long as nothing has changed. */
  snapshot: {
    (): FetchSnapshot
    (key: string): BucketSnapshot | undefined
  }
  /** Calls `listener` whenever the snapshot may have changed, the opening of a gate included. */
  subscribe: (listener: () => void) => () => void
  /** Sends nothing more to the bucket, or to any, until `resume`. Whatever the server's gate says, both must be open. */
  pause: (key?: string) => void
  resume: (key?: string) => void
  /** Forgets what the servers have asked for: gates open, and the pace is full. */
  reset: (key?: string) => void
  /** Changes what is given, from now on; undefined is the default. What is queued stays so. @throws as the creation does; nothing is changed then. */
  configure: (changes: Omit<RateLimitedFetchOptions, 'clock'>) => void
  /** Rejects all that waits, and all later calls, with an `AbortError`. What is in flight finishes. */
  dispose: () => void
  [Symbol.dispose]: () => void
}
