/** A gate as a user interface shows it. */
export interface GateSnapshot {
  readonly open: boolean
  /** The clock's instant at which it opens; undefined when it is open, or paused by hand. */
  readonly until: number | undefined
  /** Ms until it opens, as of when it is read: 0 when it is open, Infinity when paused by hand. */
  readonly remainingMs: number
}

/** The limits in force, and what is left of them. */
export interface LimitsSnapshot {
  readonly ratePerSecond: number
  readonly burst: number
  readonly concurrency: number
  /** Requests that the pace lets go at once, as of when it is read: fractional. */
  readonly tokens: number
}

/** The state of one bucket. Never changes, but for what says "as of when it is read". */
export interface BucketSnapshot {
  /** Calls that wait for the gate, the pace or a free place. */
  readonly queued: number
  /** Requests sent and not yet answered. */
  readonly inFlight: number
  /** Calls that wait before they are sent again. */
  readonly sleeping: number
  readonly gate: GateSnapshot
  /** How many requests may be in flight while the gate reopens: 1 for the probe, then 2, 4, 8 …; else Infinity. */
  readonly window: number
  readonly limits: LimitsSnapshot
}

/** The state of all buckets: sums, and the gate that opens last. */
export interface FetchSnapshot extends Omit<BucketSnapshot, 'limits'> {
  readonly buckets: Readonly<Record<string, BucketSnapshot>>
}

/** What a bucket knows of itself. */
export interface BucketState {
  readonly queued: number
  readonly inFlight: number
  readonly sleeping: number
  /** Instant; Infinity when paused by hand. */
  readonly opensAt: number
  readonly window: number
  readonly limits: Omit<LimitsSnapshot, 'tokens'>
}

/**
 * The snapshot of `state`: `last`, the same object, if it says the same.
 *
 * @param live reads what changes with time alone.
 */
export function snapshotOf(
  state: BucketState,
  last: BucketSnapshot | undefined,
  live: { now: () => number; tokens: () => number },
): BucketSnapshot {
  const { opensAt, limits, ...counts } = state
  const open = opensAt <= live.now()
  const until = open || opensAt === Infinity ? undefined : opensAt
  const isSame =
    last &&
    last.gate.open === open &&
    last.gate.until === until &&
    (['queued', 'inFlight', 'sleeping', 'window'] as const).every((name) => last[name] === counts[name]) &&
    (['ratePerSecond', 'burst', 'concurrency'] as const).every((name) => last.limits[name] === limits[name])
  if (isSame) return last
  return Object.freeze({
    ...counts,
    gate: Object.freeze({
      open,
      until,
      get remainingMs() {
        return Math.max(opensAt - live.now(), 0)
      },
    }),
    limits: Object.freeze({
      ...limits,
      get tokens() {
        return live.tokens()
      },
    }),
  })
}

const openGate: GateSnapshot = Object.freeze({ open: true, until: undefined, remainingMs: 0 })

/** What `buckets` come to: `last`, the same object, if they are the same ones. */
export function totalOf(
  buckets: Record<string, BucketSnapshot>,
  last: FetchSnapshot | undefined,
): FetchSnapshot {
  const all = Object.values(buckets)
  const lastOnes = last ? Object.values(last.buckets) : []
  if (last && all.length === lastOnes.length && all.every((one, index) => one === lastOnes[index]))
    return last

  const sum = (count: (bucket: BucketSnapshot) => number): number =>
    all.reduce((total, one) => total + count(one), 0)
  const gates = all.map((one) => one.gate).filter((gate) => !gate.open)
  const opensAt = ({ until = Infinity }: GateSnapshot): number => until
  return Object.freeze({
    queued: sum((one) => one.queued),
    inFlight: sum((one) => one.inFlight),
    sleeping: sum((one) => one.sleeping),
    gate: gates.sort((a, b) => opensAt(b) - opensAt(a))[0] ?? openGate,
    window: Math.min(...all.map((one) => one.window)),
    buckets: Object.freeze(buckets),
  })
}
