/** How many calls there were, and how many of them failed. */
interface CallCounts {
  readonly calls: number
  readonly failures: number
}

/** Counts of recent calls. `now` never decreases. */
export interface RollingCounts {
  add: (isFailure: boolean, now: number) => void
  /** The counts of the window that ends `now`. */
  at: (now: number) => CallCounts
  clear: () => void
}

const BUCKETS = 10

/**
 * Counts calls over a rolling window, in a ring of ten buckets that begin at `start` and each tenth of `windowMs` after
 * it. A call counts until its bucket has left the window: until it is between 0.9 and 1 `windowMs` old. O(1).
 */
export function createRollingCounts(windowMs: number, start: number): RollingCounts {
  const ring = Array.from({ length: BUCKETS }, () => ({ calls: 0, failures: 0 }))
  let newest = 0

  /** Empties `count` buckets from the one after the newest on. */
  function empty(count: number): void {
    for (let n = 1; n <= Math.min(count, BUCKETS); n++)
      ring[(newest + n) % BUCKETS] = { calls: 0, failures: 0 }
  }

  function roll(now: number): void {
    const next = Math.floor(((now - start) * BUCKETS) / windowMs)
    empty(next - newest)
    newest = next
  }

  return {
    add(isFailure, now) {
      roll(now)
      const bucket = ring[newest % BUCKETS]!
      bucket.calls++
      if (isFailure) bucket.failures++
    },
    at(now) {
      roll(now)
      return ring.reduce((sum, { calls, failures }) => ({
        calls: sum.calls + calls,
        failures: sum.failures + failures,
      }))
    },
    clear: () => empty(BUCKETS),
  }
}
