import { createListeners } from '../listeners.ts'

/** Instants of events, grouped in lanes. */
export interface LaneLog<Lane extends string> {
  add: (lane: Lane, at: number) => void
  /** The last instants, oldest first. */
  instants: (lane: Lane) => readonly number[]
  /** The total of each lane; the same object until an instant is added. */
  tally: () => Readonly<Record<Lane, number>>
  lastAt: () => number
  subscribe: (listener: () => void) => () => void
}

/** The minimum number of instants kept per lane: some seconds of a wheel, at most 1000 events a second. */
const KEPT = 10_000

export function createLaneLog<Lane extends string>(lanes: readonly Lane[]): LaneLog<Lane> {
  const each = <Value>(make: () => Value) =>
    Object.fromEntries(lanes.map((lane) => [lane, make()])) as Record<Lane, Value>
  const { notify, subscribe } = createListeners()
  const instants = each<number[]>(() => [])
  let tally = each(() => 0)
  let lastAt = -Infinity

  return {
    add(lane, at) {
      const kept = instants[lane]
      kept.push(at)
      // Remove half at once; removing one at a time would move the whole array on each add.
      if (kept.length > 2 * KEPT) kept.splice(0, KEPT)
      tally = { ...tally, [lane]: tally[lane] + 1 }
      lastAt = at
      notify()
    },
    instants: (lane) => instants[lane],
    tally: () => tally,
    lastAt: () => lastAt,
    subscribe,
  }
}
