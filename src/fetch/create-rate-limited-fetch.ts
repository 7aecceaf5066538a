import { createListeners } from '../core/listeners.ts'
import { report } from '../core/report.ts'
import type { BucketHost } from './bucket-host.ts'
import { createBucket, type Bucket } from './bucket.ts'
import { createCall } from './call.ts'
import { changeSettings, defaultSettings, type RateLimitedFetchOptions } from './options.ts'
import { totalOf, type BucketSnapshot, type FetchSnapshot } from './snapshot.ts'

/** A `fetch` that paces itself. Its methods are bound, so they may be taken off it. */
export interface RateLimitedFetch {
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response>
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

/**
 * Makes a drop-in `fetch` that keeps to the limits given and to those that the server tells: after a 429 it sends
 * nothing to that origin until `Retry-After` is over, then one request, then more and more; what was refused is sent
 * again in its place, if its method allows that. A status never rejects, and responses are passed on untouched.
 *
 * @throws RangeError or TypeError that names the option, for one that is out of range.
 * @see RFC 9110 §10.2.3, RFC 6585 §4
 */
export function createRateLimitedFetch(options: RateLimitedFetchOptions = {}): RateLimitedFetch {
  let settings = changeSettings(defaultSettings, options)
  const { clock } = settings
  const buckets = new Map<string, Bucket>()
  const { subscribe, notify } = createListeners()
  const watchers = new Set<() => void>()
  const disposal = new AbortController()
  let isPaused = false
  let arrivals = 0

  // The platform's fetch is looked up when it is used, so that a stand-in installed later is the one called. If we
  // have been installed as `globalThis.fetch` ourselves, it is the one that was there before; and so it is for what
  // comes back to us, at once or later, from one that was wrapped around us. R2
  const fetchBefore = globalThis.fetch
  const sent = new WeakSet<Request>()
  let platformFetch = fetchBefore
  let isSending = false
  const send: typeof fetch = (input, init) => {
    if (globalThis.fetch !== rateLimitedFetch) platformFetch = globalThis.fetch
    const sender = settings.fetch ?? platformFetch
    sent.add(input as Request)
    isSending = sender === platformFetch
    try {
      return sender(input, init)
    } finally {
      isSending = false
    }
  }
  const comesBack = (input: RequestInfo | URL): boolean =>
    isSending || (input instanceof Request && sent.has(input))

  const host: BucketHost = {
    get settings() {
      return settings
    },
    send,
    isWatched: () => watchers.size > 0 && !disposal.signal.aborted,
    changed: notify,
    emit(key, detail) {
      try {
        settings.onEvent?.({ ...detail, key, at: clock.now() })
      } catch (error) {
        report(error)
      }
    },
  }

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key)
    if (known) return known
    for (const [other, bucket] of buckets) {
      if (buckets.size < settings.maxBuckets) break
      if (bucket.isIdle()) buckets.delete(other)
    }
    const bucket = createBucket(key, host)
    if (isPaused) bucket.setPaused(true)
    buckets.set(key, bucket)
    return bucket
  }

  function rateLimitedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (comesBack(input)) return fetchBefore(input, init)
    return new Promise((resolve, reject) => {
      const call = createCall(input, init, ++arrivals)
      call.signal?.throwIfAborted()
      disposal.signal.throwIfAborted()
      // What is not sent over a network has no limit.
      const key = /^https?:/.test(call.request.url) ? settings.key(call.request) : null
      if (key === null) return resolve(send(call.request, call.extras))
      bucketOf(key).accept(Object.assign(call, { resolve, reject }))
    })
  }

  /** Does `act` to the bucket of that key, or to all. */
  function each(key: string | undefined, act: (bucket: Bucket) => void): void {
    for (const [name, bucket] of buckets) if (key === undefined || key === name) act(bucket)
  }

  let total: FetchSnapshot | undefined

  function snapshot(): FetchSnapshot
  function snapshot(key: string): BucketSnapshot | undefined
  function snapshot(key?: string): FetchSnapshot | BucketSnapshot | undefined {
    if (key !== undefined) return buckets.get(key)?.snapshot()
    // No prototype, for a key may have any name.
    const all = Object.create(null) as Record<string, BucketSnapshot>
    for (const [name, bucket] of buckets) all[name] = bucket.snapshot()
    return (total = totalOf(all, total))
  }

  function dispose(): void {
    disposal.abort(new DOMException('This fetch was disposed of', 'AbortError'))
    settings = { ...settings, maxRetries: 0 }
    each(undefined, (bucket) => bucket.dispose(disposal.signal.reason))
  }

  return Object.assign(rateLimitedFetch, {
    snapshot,
    subscribe(listener: () => void) {
      const unsubscribe = subscribe(listener)
      watchers.add(unsubscribe)
      each(undefined, (bucket) => bucket.update())
      return () => {
        unsubscribe()
        watchers.delete(unsubscribe)
        each(undefined, (bucket) => bucket.update())
      }
    },
    pause(key?: string) {
      if (key === undefined) isPaused = true
      else bucketOf(key)
      each(key, (bucket) => bucket.setPaused(true))
    },
    resume(key?: string) {
      isPaused &&= key !== undefined
      each(key, (bucket) => bucket.setPaused(false))
    },
    reset: (key?: string) => each(key, (bucket) => bucket.reset()),
    configure(changes: Omit<RateLimitedFetchOptions, 'clock'>) {
      settings = changeSettings(settings, { ...changes, clock })
      each(undefined, (bucket) => bucket.update())
    },
    dispose,
    [Symbol.dispose]: dispose,
  })
}
