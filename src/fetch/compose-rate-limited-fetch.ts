import { abortError, throwIfAborted } from '../core/shared/abort.ts'
import { adviseOnOptions } from '../core/shared/develop.ts'
import { notifyAll } from '../core/shared/store.ts'
import { createAwakeTime } from '../core/time/forward-time.ts'
import { createBucket, type Bucket, type Host } from './kernel/bucket.ts'
import type { Call } from './kernel/call.ts'
import { checkOptions, withDefaults, type ComposeOptions } from './options.ts'
import type { RateLimitedFetch } from './rate-limited-fetch.ts'
import { readArguments, type SentInit } from './kernel/request.ts'
import { runCall } from './kernel/run-call.ts'
import { createTotal } from './snapshot.ts'

/** How long a bucket must have been idle before it may be removed. */
const IDLE_MS = 60_000
/** How many old buckets a new one checks for removal. */
const LOOKS = 8

/**
 * Returns a drop-in `fetch`. After a refusal (429, or 503 with a time) it sends nothing to that origin until `Retry-After` is
 * over, then one probe request, then 2, 4, 8 … at once. A refused request is retried in its order if its method allows that. No
 * status rejects, and responses are returned unchanged. `policies` add rules for when a call is sent.
 *
 * @throws RangeError or TypeError that names an invalid option.
 * @see RFC 9110 §10.2.3, RFC 6585 §4
 */
export function composeRateLimitedFetch(given: ComposeOptions = {}): RateLimitedFetch<ComposeOptions> {
  const options = withDefaults(given)
  const { clock } = options
  const time = createAwakeTime(clock)
  const buckets = new Map<string, Bucket>()
  const total = createTotal(time.now)
  const listeners = new Set<() => void>()
  const before = globalThis.fetch
  let platform = before
  let isSending = false
  let arrivals = 0
  let isPaused = false

  const host: Host = {
    options,
    time,
    newest: 0,
    over: undefined,
    listeners,
    changed(bucket) {
      total.changed.add(bucket)
      notifyAll(listeners)
    },
    /** Sends with the current `globalThis.fetch`; if that is this fetch, with the one before it. */
    send(input, init?: SentInit) {
      if (globalThis.fetch !== rateLimitedFetch) platform = globalThis.fetch
      const { fetch } = host.options
      const inner: NonNullable<typeof fetch> & { pause?: unknown } = fetch ?? platform
      // If the global fetch has changed, another rate-limited fetch may send with it, and so with this one again.
      if (globalThis.fetch === before || ((fetch || platform === before) && !inner.pause))
        return inner(input, init)
      isSending = true
      try {
        const sentBy = (init?.sentBy ?? new Set()).add(host)
        return inner(input, { ...init, sentBy } as SentInit)
      } finally {
        isSending = false
      }
    },
    redirected({ url }, { source }) {
      if (!url || host.options.key || url.startsWith(`${source.origin!}/`)) return undefined
      return bucketOf(new URL(url, source.url).origin)
    },
  }

  function rateLimitedFetch(input: string | URL | Request, init?: SentInit): Promise<Response> {
    // A request of this fetch, which is installed as `globalThis.fetch`, perhaps under a wrapper.
    if (isSending || init?.sentBy?.has(host)) return before(input, init)
    return new Promise((resolve, reject) => {
      const source = readArguments(input, init)
      const { options: settings } = host
      const { key: keyOf } = settings
      const key = source.origin && keyOf ? keyOf(source.request()) : source.origin
      throwIfAborted(source.signal)
      if (host.over) throw host.over
      if (key === null) return resolve(host.send(...source.toArguments(true)))
      const own = init?.rateLimit
      const options = own || {}
      const {
        maxWaitMs = settings.maxWaitMs,
        totalTimeoutMs = settings.totalTimeoutMs,
        maxRetries = settings.maxRetries,
      } = options
      if (own) {
        adviseOnOptions('init.rateLimit', own)
        checkOptions({ maxWaitMs, totalTimeoutMs, maxRetries })
      }
      // The bucket sets the other members before they are read.
      const call: Partial<Call> = {
        source,
        signal: source.signal,
        arrival: ++arrivals,
        since: time.now(),
        init,
        options,
        maxWaitMs,
        totalTimeoutMs,
        maxRetries,
        isBypass: own === false || source.isKeepalive,
        rank: 1,
        attempts: 0,
        phase: 'queued',
        resolve,
        reject,
      }
      void runCall(call as Call, bucketOf(key), host)
    })
  }

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key)
    if (known) return known
    // Checks only a few, so that the cost does not grow with their number. Buckets in use go to the back.
    const { maxBuckets } = host.options
    let looks = LOOKS
    for (const [name, oldest] of buckets) {
      if (buckets.size < maxBuckets || !looks--) break
      // While all are paused, one that is not was resumed.
      const isIdle = !isPaused && oldest.isIdle(buckets.size < 2 * maxBuckets ? IDLE_MS : 0)
      buckets.delete(name)
      if (isIdle) {
        oldest.dispose()
        // Unless a listener has made a call with this key meanwhile.
        if (!buckets.get(name)) total.removed(oldest)
      } else buckets.set(name, oldest)
    }
    // A listener may have made a call with the same key meanwhile.
    const bucket = buckets.get(key) ?? createBucket(key, host, isPaused)
    buckets.set(key, bucket)
    return bucket
  }

  /** Calls `act` with the bucket of `key`, if there is one, or with all. */
  function each(key: string | undefined, act: (bucket: Bucket) => void): void {
    for (const [name, bucket] of buckets) if (key === undefined || key === name) act(bucket)
  }

  function setPaused(paused: boolean, key: string | undefined): void {
    if (key === undefined) {
      if (isPaused !== paused) total.setPaused((isPaused = paused))
      // An unknown key has nothing to resume, unless all buckets are paused.
    } else if (paused || isPaused) bucketOf(key)
    each(key, (bucket) => bucket.setPaused(paused))
    // Not only through the buckets: there may be none yet.
    notifyAll(listeners)
  }

  /** Sets a timer for each closed gate when the first listener comes, and clears them when the last one leaves. */
  function schedule(): void {
    if (listeners.size < 2) each(undefined, (bucket) => bucket.schedule())
  }

  function dispose(): void {
    host.over ??= abortError('Disposed of')
    each(undefined, (bucket) => bucket.dispose())
  }

  return Object.assign(rateLimitedFetch, {
    snapshot: total.read,
    subscribe(listener: () => void) {
      const own = (): void => listener()
      listeners.add(own)
      schedule()
      return () => {
        listeners.delete(own)
        schedule()
      }
    },
    pause: (key?: string) => setPaused(true, key),
    resume: (key?: string) => setPaused(false, key),
    reset: (key?: string) => each(key, (bucket) => bucket.reset()),
    configure(changes: Omit<ComposeOptions, 'clock'>) {
      host.options = withDefaults({ ...host.options, ...changes, clock })
      each(undefined, (bucket) => bucket.update())
    },
    dispose,
    [Symbol.dispose]: dispose,
  })
}
