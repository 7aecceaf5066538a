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
    if (buckets.size >= maxBuckets) {
      const [oldest] = [...buckets.values()].sort((a, b) => a.idleSince() - b.idleSince())
      if (oldest && oldest.idleSince() + IDLE_MS <= host.time.now()) buckets.delete(oldest.key)
    }
    return buckets.size < maxBuckets
  }

  return {
    of(key) {
      const known = buckets.get(key)
      if (known) return known
      if (!makeRoom()) return (overflow ??= make('*'))
      const bucket = make(key)
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
