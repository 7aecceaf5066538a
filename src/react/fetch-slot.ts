import type { Clock } from '../core/time/clock.ts'
import type { RateLimitedFetchOptions } from '../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { FetchSnapshot } from '../fetch/snapshot.ts'
import type { Observable } from '../core/shared/store.ts'

// Imports neither React nor the fetch, because `lull/testing` imports this file.

type CreateFetch = (options: RateLimitedFetchOptions) => RateLimitedFetch

/** The state of an idle fetch. */
export const IDLE: FetchSnapshot = {
  queued: 0,
  inFlight: 0,
  sleeping: 0,
  window: Infinity,
  gate: { open: true, until: undefined, source: undefined, remainingMs: 0 },
  buckets: {},
}

/** Holds a rate-limited fetch, created on first use. What only shows its state creates none, and its bundle has no fetch code. */
export interface FetchSlot extends Observable<FetchSnapshot> {
  /** Returns the fetch; creates it with `make` on the first call. */
  fill: (make: CreateFetch) => RateLimitedFetch
  /** Disposes of the fetch, if there is one. */
  dispose: () => void
}

/** @param create calls `make` with the options of the new fetch. */
export function createFetchSlot(create: (make: CreateFetch) => RateLimitedFetch): FetchSlot {
  let fetch: RateLimitedFetch | undefined
  /** For each listener from before the fetch existed: subscribes and calls it. */
  const early = new Set<() => void>()

  return {
    fill(make) {
      if (fetch) return fetch
      fetch = create(make)
      // Deferred, because this runs during a render.
      if (early.size > 0) void Promise.resolve().then(() => early.forEach((join) => join()))
      return fetch
    },
    dispose: () => fetch?.dispose(),
    snapshot: () => fetch?.snapshot() ?? IDLE,
    subscribe(listener) {
      if (fetch) return fetch.subscribe(listener)
      let unsubscribe: (() => void) | undefined
      const join = (): void => {
        unsubscribe = fetch!.subscribe(listener)
        listener()
      }
      early.add(join)
      return () => {
        early.delete(join)
        unsubscribe?.()
      }
    },
  }
}

/** The page's slots by clock. */
const pageSlots = new Map<Clock, FetchSlot>()

/** Returns the page's slot for `clock`. On a server each call returns a new slot, so that users share no requests. */
export function pageSlot(clock: Clock): FetchSlot {
  const slot = pageSlots.get(clock) ?? createFetchSlot((make) => make({ clock }))
  if (typeof window !== 'undefined') pageSlots.set(clock, slot)
  return slot
}

/**
 * Discards the rate-limited fetch that all components share (`useRateLimitedFetch()` without an argument), so that a cooldown
 * does not leak from one test into the next. Call it in `beforeEach`, with no component mounted: mounted ones keep the old fetch.
 *
 * The timers of the old fetch end, and its waiting calls reject with an `AbortError`. The next component makes a new fetch.
 */
export function resetSharedFetch(): void {
  for (const slot of pageSlots.values()) slot.dispose()
  pageSlots.clear()
}
