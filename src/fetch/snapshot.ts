import type { BucketHost } from './bucket-host.ts'
import type { WaitSource } from './events.ts'
import type { Flow } from './flow.ts'
import { limitsOf } from './settings.ts'
import type { BucketSnapshot, FetchSnapshot, GateSnapshot } from './snapshot-types.ts'

/** What a bucket knows of itself. */
export interface BucketState {
  readonly queued: number
  readonly inFlight: number
  readonly sleeping: number
  /** Infinity when paused by hand. */
  readonly opensAt: number
  readonly source: WaitSource | undefined
  readonly budget: () => number | undefined
}

/** The snapshot of a bucket: `last`, the same object, if it says the same. */
export function snapshotOf(
  { opensAt, source, budget, ...counts }: BucketState,
  { gate, quota, estimate, tokens }: Flow,
  { settings, time }: BucketHost,
  last: BucketSnapshot | undefined,
): BucketSnapshot {
  const now = time.now()
  const open = opensAt <= now
  const next: BucketSnapshot = Object.freeze({
    ...counts,
    gate: Object.freeze({
      open,
      until: open || opensAt === Infinity ? undefined : time.toClock(opensAt),
      source: open ? undefined : opensAt === Infinity ? 'manual' : source,
      get remainingMs() {
        return Math.max(opensAt - time.now(), 0)
      },
    }),
    window: gate.window,
    limits: Object.freeze({
      ...limitsOf(settings),
      get tokens() {
        return tokens(time.now())
      },
    }),
    pace: Object.freeze(estimate(now)),
    policies: quota.policies,
    quota: quota
      .left(now)
      .map(({ name, available, until }) => ({ name, available, until: time.toClock(until) })),
    get budget() {
      return budget()
    },
  })
  return last && wordsOf(last) === wordsOf(next) ? last : next
}

/** All that a snapshot says, without what changes with time alone. */
const wordsOf = (snapshot: BucketSnapshot): string =>
  JSON.stringify(snapshot, (name, value: unknown) =>
    name === 'remainingMs' || name === 'tokens' || name === 'budget'
      ? undefined
      : typeof value === 'number'
        ? String(value)
        : value,
  )

const openGate: GateSnapshot = Object.freeze({
  open: true,
  until: undefined,
  source: undefined,
  remainingMs: 0,
})

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
