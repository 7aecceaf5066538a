import { report } from '../core/report.ts'
import { createWatchers } from '../core/watchers.ts'
import { createAwakeTime } from './awake-time.ts'
import type { BucketHost } from './bucket-host.ts'
import { createBucketMap } from './bucket-map.ts'
import type { Call } from './bucket-types.ts'
import { createCall, type RateLimitedRequestInit } from './call.ts'
import type { EventDetail } from './events.ts'
import { chargedFor, keysOf } from './keys.ts'
import type { RateLimitedFetchOptions } from './options.ts'
import type { RateLimitedFetch } from './rate-limited-fetch.ts'
import { createPlatformFetch } from './platform-fetch.ts'
import { changeSettings, defaultSettings } from './settings.ts'
import { totalOf } from './snapshot.ts'
import type { BucketSnapshot, FetchSnapshot } from './snapshot-types.ts'
import { createTraffic } from './traffic.ts'

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
  const time = createAwakeTime(clock)
  const watchers = createWatchers()
  const disposal = new AbortController()
  const platform = createPlatformFetch(rateLimitedFetch)
  const traffic = createTraffic(() => settings)
  let stopSharing: (() => void) | undefined
  let isPaused = false
  let arrivals = 0

  const host: BucketHost = {
    time,
    disposal: disposal.signal,
    traffic,
    get settings() {
      return settings
    },
    get tell() {
      return settings.onEvent && tell
    },
    send: (input, init) => platform.send(settings.fetch, input, init),
    isWatched: () => watchers.isWatched() && !disposal.signal.aborted,
    changed: watchers.notify,
    chargedFor: (call, response) => chargedFor(call, response, settings, buckets),
  }

  const buckets = createBucketMap(host, (bucket) => {
    if (isPaused) bucket.setPaused(true)
    if (!disposal.signal.aborted) stopSharing ??= listen(bucket.key)
  })

  /** R138: an adapter that fails costs nothing but the sharing. */
  function listen(key: string): (() => void) | undefined {
    try {
      return settings.share?.subscribe((key, untilWallMs) => {
        const ms = Math.min(untilWallMs - clock.wall(), settings.maxGateMs)
        buckets.of(key).delay(time.now() + ms)
      })
    } catch (error) {
      tell(key, { type: 'share-error', error })
      return () => undefined
    }
  }

  function tell(key: string, detail: EventDetail): void {
    try {
      settings.onEvent?.({ ...detail, key, at: clock.now() })
    } catch (error) {
      report(error)
    }
  }

  function begin(call: Call): void {
    call.signal?.throwIfAborted()
    disposal.signal.throwIfAborted()
    const keys = keysOf(settings, call.source.origin, call.source.request)
    if (!keys) return call.resolve(host.send(...call.source.toArguments(true)) as never)
    for (const key of keys) {
      const bucket = buckets.of(key)
      // Two keys may share one.
      if (call.buckets.includes(bucket)) continue
      bucket.enter()
      call.buckets.push(bucket)
    }
    call.buckets.at(-1)!.accept(call)
  }

  function rateLimitedFetch(input: RequestInfo | URL, init?: RateLimitedRequestInit): Promise<Response> {
    if (platform.comesBack(input)) return platform.before(input, init)
    return new Promise((resolve, reject) => {
      const call = createCall(input, init, ++arrivals)
      call.resolve = resolve
      call.reject = reject
      begin(call)
    })
  }

  let total: FetchSnapshot | undefined

  function snapshot(): FetchSnapshot
  function snapshot(key: string): BucketSnapshot | undefined
  function snapshot(key?: string): FetchSnapshot | BucketSnapshot | undefined {
    if (key !== undefined) return buckets.known(key)?.snapshot()
    // No prototype, for a key may have any name.
    const all = Object.create(null) as Record<string, BucketSnapshot>
    for (const [name, bucket] of buckets.entries()) all[name] = bucket.snapshot()
    return (total = totalOf(all, total))
  }

  const updateAll = (): void => buckets.each(undefined, (bucket) => bucket.update())

  function dispose(): void {
    disposal.abort(new DOMException('This fetch was disposed of', 'AbortError'))
    stopSharing?.()
    buckets.each(undefined, (bucket) => bucket.dispose(disposal.signal.reason))
  }

  return Object.assign(rateLimitedFetch, {
    snapshot,
    subscribe(listener: () => void) {
      const unsubscribe = watchers.subscribe(listener)
      updateAll()
      return () => {
        unsubscribe()
        updateAll()
      }
    },
    pause(key?: string) {
      if (key === undefined) isPaused = true
      else buckets.of(key)
      buckets.each(key, (bucket) => bucket.setPaused(true))
    },
    resume(key?: string) {
      if (key === undefined) isPaused = false
      else buckets.of(key)
      buckets.each(key, (bucket) => bucket.setPaused(false))
    },
    reset: (key?: string) => buckets.each(key, (bucket) => bucket.reset()),
    configure(changes: Omit<RateLimitedFetchOptions, 'clock'>) {
      settings = changeSettings(settings, { ...changes, clock })
      updateAll()
    },
    dispose,
    [Symbol.dispose]: dispose,
  })
}
