import { createBucket } from './bucket.ts'
import type { BucketHost } from './bucket-host.ts'
import type { Bucket } from './bucket-types.ts'

/** The buckets of a paced fetch, by key. */
export interface BucketMap {
  /** The one of that key, made if need be. */
  of: (key: string) => Bucket
  /** The one of that key, or the one that it shares, if there is one. */
  known: (key: string) => Bucket | undefined
  entries: () => Iterable<[key: string, bucket: Bucket]>
  /** Does `act` to the bucket of that key, or to all. */
  each: (key: string | undefined, act: (bucket: Bucket) => void) => void
}

/** A bucket that has been idle for so long may make room for another. R59 */
const IDLE_MS = 60_000

/** @param made what is done to a new one. */
export function createBucketMap(host: BucketHost, made: (bucket: Bucket) => void): BucketMap {
  // Those used last come last.
  const buckets = new Map<string, Bucket>()
  // What all keys share that find no room. Its name can be no origin.
  let overflow: Bucket | undefined

  function make(key: string): Bucket {
    const bucket = createBucket(key, host)
    made(bucket)
    return bucket
  }

  function makeRoom(): boolean {
    const { maxBuckets } = host.settings
    for (const [key, bucket] of buckets) {
      if (buckets.size < maxBuckets) break
      if (bucket.idleSince() + IDLE_MS <= host.time.now()) buckets.delete(key)
    }
    return buckets.size < maxBuckets
  }

  return {
    of(key) {
      const bucket = buckets.get(key) ?? (makeRoom() ? make(key) : undefined)
      if (!bucket) return (overflow ??= make('*'))
      buckets.delete(key)
      buckets.set(key, bucket)
      return bucket
    },
    known: (key) => buckets.get(key) ?? overflow,
    entries: () => buckets,
    each(key, act) {
      const all = key === undefined ? [...buckets.values(), overflow] : [buckets.get(key) ?? overflow]
      for (const bucket of all) if (bucket) act(bucket)
    },
  }
}
