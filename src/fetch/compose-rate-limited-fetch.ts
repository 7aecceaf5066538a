import { RateLimitError } from '../core/shared/errors.ts'
import { onAbort } from '../core/shared/abort.ts'
import { report } from '../core/shared/report.ts'
import { attempt } from './attempt.ts'
import { createAwakeTime } from './awake-time.ts'
import { createBucket, LONGEST_MS, type Bucket } from './bucket.ts'
import { createCall, type Call, type Outcome } from './call.ts'
import { classify } from './classify.ts'
import { createThrottledError } from './errors.ts'
import { withDefaults, type ComposeOptions, type RateLimitedRequestInit } from './options.ts'
import { createPlatformFetch } from './platform-fetch.ts'
import type { RateLimitedFetch } from './rate-limited-fetch.ts'
import { discard, originOf, readArguments } from './request.ts'
import { createTotal } from './snapshot.ts'

/** A bucket that has been idle for so long may make room for another. */
const IDLE_MS = 60_000
/** Buckets that are looked at for room when a new one is made. */
const LOOKS = 8

/**
 * Returns a drop-in `fetch`. After a refusal (429, or 503 that names a time) it sends nothing to that origin until
 * `Retry-After` is over, then one probe, then more and more; what was refused is sent again in its place, if its method allows
 * that. A status never rejects, and responses are passed on untouched. `policies` add what else decides when a call is sent.
 *
 * @throws RangeError or TypeError that names an option out of range.
 * @see RFC 9110 §10.2.3, RFC 6585 §4
 */
export function composeRateLimitedFetch(given: ComposeOptions = {}): RateLimitedFetch<ComposeOptions> {
  let options = withDefaults(given)
  const { clock } = options
  const time = createAwakeTime(clock)
  const platform = createPlatformFetch(rateLimitedFetch)
  const buckets = new Map<string, Bucket>()
  const total = createTotal()
  const listeners = new Set<() => void>()
  let arrivals = 0
  let isPaused = false
  let disposedWith: DOMException | undefined

  const host = {
    time,
    newest: 0,
    get options() {
      return options
    },
    disposedWith: () => disposedWith,
    isWatched: () => listeners.size > 0,
    changed(bucket: Bucket) {
      total.changed.add(bucket)
      if (listeners.size === 0) return
      for (const listener of [...listeners])
        try {
          if (listeners.has(listener)) listener()
        } catch (error) {
          report(error)
        }
    },
  }

  function rateLimitedFetch(input: RequestInfo | URL, init?: RateLimitedRequestInit): Promise<Response> {
    if (platform.comesBack(init)) return platform.before(input, init)
    return new Promise((resolve, reject) => {
      const source = readArguments(input, init)
      if (source.signal?.aborted) throw source.signal.reason
      const key = source.origin && (options.key ? options.key(source.request()) : source.origin)
      if (disposedWith) throw disposedWith
      if (key === null) return resolve(send(...source.toArguments(true)))
      const bucket = bucketOf(key)
      const call = createCall(source, init, ++arrivals, time.now(), bucket.fail, reject, options)
      run(call, bucket).then(resolve, reject)
    })
  }

  /** One call, from its arrival until it is settled. */
  async function run(call: Call, bucket: Bucket): Promise<Response> {
    const release = listen(call)
    let response: Response | undefined
    try {
      bucket.enter(call)
      for (;;) {
        while (!bucket.take(call)) await bucket.turn(call)
        let charged = bucket
        const outcome = await attempt(call, options, send, (came) => {
          charged = chargedFor(call, bucket, came)
          // What a server says after a redirect is not of the limits of the one before.
          return classify(came, options, charged === bucket ? bucket.read : () => [])
        })
        const next = bucket.conclude(call, outcome, charged)
        const waitMs = typeof next === 'object' ? await next : next
        if (waitMs === undefined) return (response = settle(call, outcome, charged))
        if (outcome.response) discard(outcome.response)
        if (waitMs > 0) await bucket.turn(call, waitMs)
      }
    } finally {
      release()
      bucket.leave(call, response)
    }
  }

  const send: typeof fetch = (input, init) => platform.send(options.fetch, input as RequestInfo, init)

  /** What the call resolves with, or throws. */
  function settle(
    call: Call,
    { kind, response, error, source = 'none' }: Outcome,
    { key, opensAt }: Bucket,
  ): Response {
    if (response && call.isOver) discard(response)
    if (!response || call.isOver) throw error ?? call.reason
    if (kind !== 'throttled' || !options.throwOnThrottle) return response
    const details = { response, source, attempts: call.attempts, bucket: key }
    throw createThrottledError(Math.max(opensAt() - time.now(), 0), details)
  }

  /** Gives the call up when its signal aborts or its time is over. */
  function listen(call: Call): () => void {
    const { signal, totalTimeoutMs } = call
    const stopListening = signal && onAbort(signal, () => call.fail(signal.reason))
    const expire = (): void => {
      const message =
        call.attempts > 0 ? `No usable response within ${totalTimeoutMs} ms` : 'Request not sent: deadline'
      call.fail(new RateLimitError('deadline', message, 0))
    }
    const stopTimer = totalTimeoutMs <= LONGEST_MS ? clock.after(totalTimeoutMs, expire) : undefined
    return () => {
      stopListening?.()
      stopTimer?.()
    }
  }

  /** The bucket whose limit a response is of: after a redirect that of the origin that it came from. */
  function chargedFor({ source }: Call, bucket: Bucket, { url }: Response): Bucket {
    if (!url || url.startsWith(`${source.origin!}/`)) return bucket
    const origin = originOf(new URL(url, source.url))
    if (!origin || origin === source.origin) return bucket
    const key = options.key ? options.key(new Request(url)) : origin
    return key === null ? bucket : bucketOf(key)
  }

  function bucketOf(key: string): Bucket {
    let bucket = buckets.get(key)
    if (bucket) return bucket
    // Only a few are looked at, so that the cost does not depend on how many there are; those in use go to the back.
    for (let look = 0; look < LOOKS && buckets.size >= options.maxBuckets; look++) {
      const [[name, oldest]] = buckets as unknown as [[string, Bucket]]
      const isIdle = oldest.isIdle(buckets.size < 2 * options.maxBuckets ? IDLE_MS : 0)
      buckets.delete(name)
      if (isIdle) {
        oldest.dispose(undefined)
        total.removed(oldest)
      } else buckets.set(name, oldest)
    }
    bucket = createBucket(key, host)
    if (isPaused) bucket.setPaused(true)
    buckets.set(key, bucket)
    return bucket
  }

  /** Does `act` to the bucket of that key, or to all. */
  function each(key: string | undefined, act: (bucket: Bucket) => void): void {
    for (const bucket of key === undefined ? buckets.values() : [bucketOf(key)]) act(bucket)
  }

  function setPaused(paused: boolean, key: string | undefined): void {
    if (key === undefined) isPaused = paused
    each(key, (bucket) => bucket.setPaused(paused))
  }

  function dispose(): void {
    disposedWith ??= new DOMException('This fetch was disposed of', 'AbortError')
    each(undefined, (bucket) => bucket.dispose(disposedWith))
  }

  return Object.assign(rateLimitedFetch, {
    snapshot: ((key?: string) =>
      key === undefined ? total.read() : buckets.get(key)?.snapshot()) as RateLimitedFetch['snapshot'],
    subscribe(listener: () => void) {
      listeners.add(listener)
      each(undefined, (bucket) => bucket.drain())
      return () => {
        listeners.delete(listener)
        each(undefined, (bucket) => bucket.drain())
      }
    },
    pause: (key?: string) => setPaused(true, key),
    resume: (key?: string) => setPaused(false, key),
    reset: (key?: string) => each(key, (bucket) => bucket.reset()),
    configure(changes: Omit<ComposeOptions, 'clock'>) {
      options = withDefaults({ ...options, ...changes, clock })
      each(undefined, (bucket) => bucket.update())
    },
    dispose,
    [Symbol.dispose]: dispose,
  })
}
