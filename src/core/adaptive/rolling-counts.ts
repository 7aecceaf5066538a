/** How many calls there were, and how many of them failed. */
export interface CallCounts {
  readonly calls: number
  readonly failures: number
}

/** Counts of what was of late. No `now` is before an earlier one. */
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
  const calls = new Array<number>(BUCKETS).fill(0)
  const failures = new Array<number>(BUCKETS).fill(0)
  let newest = 0

  const sum = (counts: number[]): number => counts.reduce((total, count) => total + count)

  /** Empties the buckets that have left the window since the last time, and answers the place of the newest. */
  function roll(now: number): number {
    const next = Math.floor(((now - start) * BUCKETS) / windowMs)
    for (let bucket = Math.max(newest, next - BUCKETS) + 1; bucket <= next; bucket++)
      calls[bucket % BUCKETS] = failures[bucket % BUCKETS] = 0
    return (newest = next) % BUCKETS
  }

  return {
    add(isFailure, now) {
      const place = roll(now)
      calls[place]!++
      if (isFailure) failures[place]!++
    },
    at(now) {
      roll(now)
      return { calls: sum(calls), failures: sum(failures) }
    },
    clear() {
      calls.fill(0)
      failures.fill(0)
    },
  }
}
