import type { WaitSource } from './events.ts'
import type { RateLimitPolicy } from './headers/rate-limit-fields.ts'

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

/** The server's limit, as named in its fields or learnt from its refusals. */
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
  /** Calls that wait before they queue again. */
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
  /** From `retryBudget`: retries that are left. */
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

interface Shown {
  readonly key: string
  readonly gate: { readonly opensAt: number }
  readonly snapshot: () => BucketSnapshot
}

interface Total {
  /** The bucket may have changed. */
  readonly changed: Set<Shown>
  removed: (bucket: Shown) => void
  /** Records that all buckets are paused or resumed, future ones too. */
  setPaused: (paused: boolean) => void
  read: () => FetchSnapshot
}

const COUNTS = ['queued', 'inFlight', 'sleeping'] as const

/** The gate to show while there is no bucket. */
const idleGate = (open: boolean): GateSnapshot => ({
  open,
  until: undefined,
  source: open ? undefined : 'manual',
  remainingMs: open ? 0 : Infinity,
})

/** Sums up the snapshots of buckets. Reads only those that have changed. A closed gate changes when it opens. */
export function createTotal(now: () => number): Total {
  const shown = new Map<Shown, BucketSnapshot>()
  const changed = new Set<Shown>()
  /** Buckets whose gate is closed or reopening, and the instant at which the first of these gates opens. */
  const closed = new Set<Shown>()
  let opensAt = Infinity
  const counts = { queued: 0, inFlight: 0, sleeping: 0 }
  let total: FetchSnapshot | undefined
  let idle = idleGate(true)

  const records = new WeakMap<object, Record<string, BucketSnapshot>>()
  // One getter for all snapshots. With a getter each, every snapshot would have its own hidden class, which is slow.
  const buckets = {
    enumerable: true,
    get(this: object) {
      let record = records.get(this)
      if (!record) {
        // No prototype: a key may be `__proto__`.
        record = Object.create(null) as Record<string, BucketSnapshot>
        for (const [{ key }, one] of shown) record[key] = one
        records.set(this, Object.freeze(record))
      }
      return record
    },
  }

  function read(): FetchSnapshot {
    if (closed.size && now() >= opensAt) for (const bucket of closed) changed.add(bucket)
    for (const bucket of changed) {
      const old = shown.get(bucket)
      const next = bucket.snapshot()
      changed.delete(bucket)
      closed[next.gate.open && next.window === Infinity ? 'delete' : 'add'](bucket)
      if (old === next) continue
      total = undefined
      shown.set(bucket, next)
      for (const name of COUNTS) counts[name] += next[name] - (old?.[name] ?? 0)
    }
    if (total) return total
    let gate = idle
    let window = Infinity
    opensAt = Infinity
    for (const bucket of closed) {
      const one = shown.get(bucket)!
      const { open, until = Infinity } = one.gate
      window = Math.min(window, one.window)
      if (until < Infinity) opensAt = Math.min(opensAt, bucket.gate.opensAt)
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
      shown.delete(bucket)
      closed.delete(bucket)
      total = undefined
    },
    setPaused(paused) {
      idle = idleGate(!paused)
      total = undefined
    },
    read,
  }
}
