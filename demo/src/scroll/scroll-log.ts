export const scrollLanes = ['event', 'throttled', 'frame'] as const
export type ScrollLane = (typeof scrollLanes)[number]

interface ScrollTally {
  readonly event: number
  readonly throttled: number
  readonly frame: number
}

/** What came, and what ran for it. */
export interface ScrollLog {
  add: (lane: ScrollLane, at: number) => void
  /** The instants that are kept, oldest first. */
  instants: (lane: ScrollLane) => readonly number[]
  /** Of all; the same object until there is another one. */
  tally: () => ScrollTally
  lastAt: () => number
  subscribe: (listener: () => void) => () => void
}

/** How many of each are kept: a wheel makes a thousand a second at most, and ten seconds are shown. */
const KEPT = 10_000

export function createScrollLog(): ScrollLog {
  const listeners = new Set<() => void>()
  const instants: Record<ScrollLane, number[]> = { event: [], throttled: [], frame: [] }
  let tally: ScrollTally = { event: 0, throttled: 0, frame: 0 }
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
