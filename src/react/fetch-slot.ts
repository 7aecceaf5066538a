import type { Clock } from '../core/time/clock.ts'
import type { RateLimitedFetchOptions } from '../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { FetchSnapshot } from '../fetch/snapshot.ts'
import type { Observable } from './hooks/use-limiter.ts'

// No React and no fetch in here: `lull/testing` imports it.

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
 * The place of a rate-limited fetch that is made when it is first needed. A component that only shows its state makes none, so
 * that its bundle has no code of it.
 */
export interface FetchSlot extends Observable<FetchSnapshot> {
  /** Returns the fetch; if there is none, the one that `make` makes. */
  fill: (make: CreateFetch) => RateLimitedFetch
  /** Ends the fetch, if there is one. */
  dispose: () => void
}

/** @param options what the fetch is made with. @param own what the slot makes of it. */
export function createFetchSlot(
  options: () => RateLimitedFetchOptions,
  own = (fetch: RateLimitedFetch): RateLimitedFetch => fetch,
): FetchSlot {
  let fetch: RateLimitedFetch | undefined
  /** The listeners from before there was a fetch, and what ends each. */
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
    dispose: () => fetch?.dispose(),
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
const pageSlots = new Map<Clock, FetchSlot>()

/** The slot of the page. A server has no page: requests of different users share nothing. */
export function pageSlot(clock: Clock): FetchSlot {
  if (typeof window === 'undefined') return createFetchSlot(() => ({ clock }))
  let slot = pageSlots.get(clock)
  if (!slot) pageSlots.set(clock, (slot = createFetchSlot(() => ({ clock }))))
  return slot
}

export function resetPageSlots(): void {
  for (const slot of pageSlots.values()) slot.dispose()
  pageSlots.clear()
}
