import { useEffect, useState } from 'react'
import type { Clock } from '../core/time/clock.ts'
import type { RateLimitedFetchOptions } from '../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { FetchSnapshot } from '../fetch/snapshot.ts'
import { useClock } from './clock-provider.tsx'
import { useCommitEffect } from './use-lifecycle.ts'
import type { Observable } from './hooks/use-limiter.ts'

type CreateFetch = (options: RateLimitedFetchOptions) => RateLimitedFetch

/** The state of a fetch that has nothing to do. */
export const IDLE: FetchSnapshot = {
  queued: 0,
  inFlight: 0,
  sleeping: 0,
  window: Infinity,
  gate: { open: true, until: undefined, source: undefined, remainingMs: 0 },
  buckets: {},
}

/**
 * The place of a rate-limited fetch that is made when it is first needed. Whoever only shows its state does not make one, and
 * so does not bring its code into the bundle.
 */
export interface FetchSlot extends Observable<FetchSnapshot> {
  /** Returns the fetch; if there is none, the one that `make` makes. */
  fill: (make: CreateFetch) => RateLimitedFetch
}

/** @param options what the fetch is made with. @param own what the slot makes of it. */
export function createFetchSlot(
  options: () => RateLimitedFetchOptions,
  own = (fetch: RateLimitedFetch): RateLimitedFetch => fetch,
): FetchSlot {
  let fetch: RateLimitedFetch | undefined
  /** Those who subscribed before there was a fetch, and how to end that. */
  const early = new Map<() => void, (() => void) | undefined>()

  return {
    fill(make) {
      if (fetch) return fetch
      const made = (fetch = own(make(options())))
      // Later, for this is called while rendering.
      if (early.size > 0)
        queueMicrotask(() => {
          for (const listener of early.keys()) {
            early.set(listener, made.subscribe(listener))
            listener()
          }
        })
      return made
    },
    snapshot: () => fetch?.snapshot() ?? IDLE,
    subscribe(listener) {
      if (fetch) return fetch.subscribe(listener)
      const own = (): void => listener()
      early.set(own, undefined)
      return () => {
        early.get(own)?.()
        early.delete(own)
      }
    },
  }
}

/** One for the page, or rather for each clock of it. */
const pageSlots = new WeakMap<Clock, FetchSlot>()

/** The slot of the page. A server has no page: requests of different users share nothing. */
export function pageSlot(clock: Clock): FetchSlot {
  if (typeof window === 'undefined') return createFetchSlot(() => ({ clock }))
  let slot = pageSlots.get(clock)
  if (!slot) pageSlots.set(clock, (slot = createFetchSlot(() => ({ clock }))))
  return slot
}

/** A rate-limited fetch that lives as long as a component is shown. */
interface OwnedFetch {
  readonly slot: FetchSlot
  /** Makes `options` the ones in force: what is absent has its default. */
  use: (options: RateLimitedFetchOptions) => void
  /** Aborts all calls with an `AbortError`, and rejects later ones, until `start`. */
  stop: () => void
  start: () => void
}

function createOwnedFetch(options: RateLimitedFetchOptions, clock: Clock): OwnedFetch {
  let life = new AbortController()
  let isShown = true
  let inner: RateLimitedFetch | undefined

  function own(made: RateLimitedFetch): RateLimitedFetch {
    inner = made
    function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const ownSignal = init?.signal === undefined && input instanceof Request ? input.signal : init?.signal
      const signal = ownSignal ? AbortSignal.any([ownSignal, life.signal]) : life.signal
      const response = made(input, { ...init, signal })
      // The promise rejects for whoever looks at it; a component that does not is no bug to be reported.
      response.catch(() => undefined)
      return response
    }
    return Object.assign(fetch, { ...made })
  }

  return {
    slot: createFetchSlot(() => ({ ...options, clock: options.clock ?? clock }), own),
    use(next) {
      // What is absent now goes back to its default.
      const absent = Object.fromEntries(Object.keys(options).map((name) => [name, undefined]))
      inner?.configure({ ...absent, ...next })
      options = next
    },
    stop() {
      isShown = false
      // StrictMode and Fast Refresh take every effect back and make it again in the same task.
      void Promise.resolve().then(() => {
        if (!isShown) life.abort(new DOMException('The component was unmounted', 'AbortError'))
      })
    },
    start() {
      isShown = true
      if (life.signal.aborted) life = new AbortController()
    },
  }
}

/** The slot of the component's own fetch, made at the first render that has `options`; undefined without any. */
export function useOwnedFetch(options: RateLimitedFetchOptions | undefined): FetchSlot | undefined {
  const clock = useClock()
  const [owned] = useState(() => options && createOwnedFetch(options, clock))

  useCommitEffect(() => {
    if (options) owned?.use(options)
  })

  useCommitEffect(() => owned?.start(), [owned])
  // Not where it starts: a layout effect ends, too, while a Suspense boundary shows its fallback.
  useEffect(() => {
    owned?.start()
    return owned?.stop
  }, [owned])

  return owned?.slot
}
