import { isSame } from '../core/shared/store.ts'
import type { WaitSource } from './events.ts'
import type { RateLimitPolicy } from './headers/rate-limit-fields.ts'
import type { Bucket } from './kernel/bucket.ts'
import type { RateLimitedFetch } from './rate-limited-fetch.ts'

/** The state of a gate. */
export interface GateSnapshot {
  readonly open: boolean
  /** The clock's instant at which it opens; undefined while it is open or paused by `pause`. */
  readonly until: number | undefined
  /** What closed it; undefined while it is open. */
  readonly source: WaitSource | undefined
  /** Ms until it opens, computed when read: 0 if it is open, Infinity if paused by `pause`. */
  readonly remainingMs: number
}

/** The limit that the options set. */
export interface LimitsSnapshot {
  readonly ratePerSecond: number
  readonly burst: number
  /** Requests that may be sent at once, computed when read. Fractional. */
  readonly tokens: number
}

/** The server's limit, as named in its headers or learned from its refusals. */
export interface PaceSnapshot {
  readonly from: 'fields' | 'refusals'
  readonly ratePerSecond: number
  readonly burst: number
}

/** What is left of one of the server's limits, by its last response. */
export interface QuotaSnapshot {
  readonly name: string
  /** Requests that are left, minus those in flight at that response and those sent since. */
  readonly available: number
  /** The clock's instant at which the limit's window ends. */
  readonly until: number
}

/** The state of one bucket. Its members never change, except those that are computed when read. */
export interface BucketSnapshot {
  /** Calls that wait for the gate, a policy or `concurrency`. */
  readonly queued: number
  /** Requests without a response yet. */
  readonly inFlight: number
  /** Calls that are neither queued nor in flight, as before a retry. */
  readonly sleeping: number
  readonly gate: GateSnapshot
  /** Requests that may be in flight while the gate reopens: 1 for the probe, then 2, 4, 8 …; else Infinity. */
  readonly window: number
  /** From `limitRate`. */
  readonly limits?: LimitsSnapshot | undefined
  /** From `learnPace` and `rateLimitFields`; undefined while nothing is known. */
  readonly pace?: PaceSnapshot | undefined
  /** From `rateLimitFields`: the server's `RateLimit-Policy`. */
  readonly policies?: readonly RateLimitPolicy[] | undefined
  readonly quota?: readonly QuotaSnapshot[] | undefined
  /** From `retryBudget`: retries that were left when the snapshot last changed. */
  readonly budget?: number | undefined
}

/** The state of all buckets: the sums of their counts, and the gate that opens last. */
export interface FetchSnapshot extends Pick<
  BucketSnapshot,
  'queued' | 'inFlight' | 'sleeping' | 'gate' | 'window'
> {
  /** By key, computed when first read. */
  readonly buckets: Readonly<Record<string, BucketSnapshot>>
}

interface Total {
  /** Buckets that may have changed. */
  readonly changed: Set<Bucket>
  removed: (bucket: Bucket) => void
  /** Records that all buckets are paused or resumed, future ones too. */
  setPaused: (paused: boolean) => void
  read: RateLimitedFetch['snapshot']
}

const COUNTS = ['queued', 'inFlight', 'sleeping'] as const

/** @param remainingMs computes the rest of a cooldown. */
export const gateOf = (remainingMs: () => number, source?: WaitSource, until?: number): GateSnapshot =>
  Object.freeze({
    open: !source,
    until,
    source,
    get remainingMs() {
      return remainingMs()
    },
  })
export const OPEN: GateSnapshot = /* @__PURE__ */ gateOf(() => 0)
export const PAUSED: GateSnapshot = /* @__PURE__ */ gateOf(() => Infinity, 'manual')

/**
 * The snapshots of buckets, by key, and their sums. Reads only buckets that have changed. A closed gate changes when it opens.
 * Snapshots are the same objects while their members are.
 */
export function createTotal(now: () => number): Total {
  const shown = new Map<string, BucketSnapshot>()
  const changed = new Set<Bucket>()
  /** Buckets whose gate is closed or reopening, and the instant at which the first of these gates opens. */
  const closed = new Set<Bucket>()
  let opensAt = Infinity
  const counts = { queued: 0, inFlight: 0, sleeping: 0 }
  let total: FetchSnapshot | undefined
  let idle = OPEN

  const records = new WeakMap<object, Record<string, BucketSnapshot>>()
  // One getter for all snapshots. With a getter each, every snapshot would have its own hidden class, which is slow.
  const buckets = {
    enumerable: true,
    get(this: object) {
      let record = records.get(this)
      // No prototype: a key may be `__proto__`.
      if (!record) {
        record = { __proto__: null, ...Object.fromEntries(shown) } as unknown as Record<
          string,
          BucketSnapshot
        >
        records.set(this, Object.freeze(record))
      }
      return record
    },
  }

  function read(key?: string): FetchSnapshot | BucketSnapshot | undefined {
    if (closed.size && now() >= opensAt) {
      opensAt = Infinity
      for (const bucket of closed) changed.add(bucket)
    }
    for (const bucket of changed) {
      const old = shown.get(bucket.key)
      const next = bucket.snapshot()
      changed.delete(bucket)
      closed[next.gate.open && next.window === Infinity ? 'delete' : 'add'](bucket)
      if (next.gate.until !== undefined) opensAt = Math.min(opensAt, bucket.gate.opensAt)
      if (old && isSame(next, old)) continue
      total = undefined
      shown.set(bucket.key, Object.freeze(next))
      for (const name of COUNTS) counts[name] += next[name] - (old?.[name] ?? 0)
    }
    if (key !== undefined) return shown.get(key)
    if (total) return total
    let gate = idle
    let window = Infinity
    for (const { key: name } of closed) {
      const one = shown.get(name)!
      const { open, until = Infinity } = one.gate
      window = Math.min(window, one.window)
      if (!open && (gate.open || until > (gate.until ?? Infinity))) ({ gate } = one)
    }
    return (total = Object.freeze(
      Object.defineProperty({ gate, window, ...counts } as FetchSnapshot, 'buckets', buckets),
    ))
  }

  return {
    changed,
    removed(bucket) {
      // An idle bucket adds nothing to the sums of a new snapshot.
      read()
      shown.delete(bucket.key)
      closed.delete(bucket)
      total = undefined
    },
    setPaused(paused) {
      idle = paused ? PAUSED : OPEN
      total = undefined
    },
    read: read as RateLimitedFetch['snapshot'],
  }
}
