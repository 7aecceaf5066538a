/** Instants in lanes: what came, and what was made of it. */
export interface LaneLog<Lane extends string> {
  add: (lane: Lane, at: number) => void
  /** The instants that are kept, oldest first. */
  instants: (lane: Lane) => readonly number[]
  /** How many of each there were; the same object until there is another one. */
  tally: () => Readonly<Record<Lane, number>>
  lastAt: () => number
  subscribe: (listener: () => void) => () => void
}

/** How many of each are kept: a wheel makes a thousand a second at most, and some seconds are shown. */
const KEPT = 10_000

export function createLaneLog<Lane extends string>(lanes: readonly Lane[]): LaneLog<Lane> {
  const each = <Value>(make: () => Value) =>
    Object.fromEntries(lanes.map((lane) => [lane, make()])) as Record<Lane, Value>
  const listeners = new Set<() => void>()
  const instants = each<number[]>(() => [])
  let tally = each(() => 0)
  let lastAt = -Infinity

  return {
    add(lane, at) {
      const kept = instants[lane]
      kept.push(at)
      // Half of them at a time, or each one more would move all.
      if (kept.length > 2 * KEPT) kept.splice(0, KEPT)
      tally = { ...tally, [lane]: tally[lane] + 1 }
      lastAt = at
      for (const listener of listeners) listener()
    },
    instants: (lane) => instants[lane],
    tally: () => tally,
    lastAt: () => lastAt,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
