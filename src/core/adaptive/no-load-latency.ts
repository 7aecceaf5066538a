/** What latency is while nothing queues on the other side, as far as has been seen. */
export interface NoLoadLatency {
  /** Undefined as long as nothing is known. */
  readonly ms: number | undefined
  /** An average latency, of calls of which few were in flight (`isLight`) or many. */
  learn: (latencyMs: number, isLight: boolean, now: number) => void
  /** Whether it is time to see it with few in flight. */
  isStale: (now: number) => boolean
}

/** So much of the way to a lower average it goes when many are in flight: one that is low by chance counts little. */
const DRAW = 0.1

/** It is measured no more often than at intervals of so many times itself: measuring costs a few of those. */
const INTERVAL = 100

/**
 * Learns from what is seen with few calls in flight. A higher latency replaces what was known, since the other side has become
 * slower. A lower one counts half: if it is so by chance, a limit that follows it starves. With many in flight
 * only a lower one says something.
 *
 * @param resampleMs how long it is believed.
 */
export function createNoLoadLatency(resampleMs: number): NoLoadLatency {
  let ms: number | undefined
  let seenAt = -Infinity
  return {
    get ms() {
      return ms
    },
    learn(latencyMs, isLight, now) {
      if (isLight) {
        ms = Math.max(latencyMs, (latencyMs + (ms ?? latencyMs)) / 2)
        seenAt = now
      } else if (ms !== undefined) ms += Math.min(latencyMs - ms, 0) * DRAW
    },
    isStale: (now) => now - seenAt >= Math.max(resampleMs, (ms ?? 0) * INTERVAL),
  }
}
