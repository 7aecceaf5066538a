import type { LimitRow } from './limits-rows.ts'
import { createTurn, NEAR_MS, type Mark } from '../../strips/turn.ts'

/** The visible time span, in ms. */
export const PAST_MS = 10_000
/** The sampling interval of a level, in ms: about a pixel. */
const STEP_MS = 20

interface Sample {
  at: number
  level: number
}

export interface Decision extends Mark, Sample {
  isAdmitted: boolean
}

/** The decisions and levels of one limit. Instants must not decrease. */
export interface Trace {
  readonly row: LimitRow
  /** The initial level, which is the maximum. */
  readonly capacity: number
  /** The samples of the last `PAST_MS`, and one before them. */
  readonly samples: readonly Sample[]
  /** The decisions of the last `PAST_MS`. */
  readonly decisions: readonly Decision[]
  /** The total. */
  readonly admitted: number
  /** The last sampled instant at which the level was below the capacity. */
  readonly lastUsedAt: number
  /** Decides one request. */
  decide: (at: number) => void
  /** Samples the levels up to `at`. */
  readTo: (at: number) => void
}

export function createTrace(row: LimitRow, from: number): Trace {
  const { limiter } = row
  const capacity = limiter.remaining(from)
  // The level was full before the start.
  const samples: Sample[] = [{ at: from - PAST_MS, level: capacity }]
  const decisions: Decision[] = []
  const turnOf = createTurn(NEAR_MS)
  let admitted = 0
  let lastUsedAt = -Infinity
  let steps = Math.floor(from / STEP_MS)

  function read(at: number): number {
    const level = limiter.remaining(at)
    samples.push({ at, level })
    if (level < capacity) lastUsedAt = at
    return level
  }

  /** Samples past instants too: nothing was taken since the last sample. */
  function readTo(at: number): void {
    steps = Math.max(steps, Math.floor((at - PAST_MS) / STEP_MS) - 1)
    while ((steps + 1) * STEP_MS <= at) read(++steps * STEP_MS)
    while (samples[1] && samples[1].at <= at - PAST_MS) samples.shift()
    while (decisions[0] && decisions[0].at < at - PAST_MS) decisions.shift()
  }

  return {
    row,
    capacity,
    samples,
    decisions,
    get admitted() {
      return admitted
    },
    get lastUsedAt() {
      return lastUsedAt
    },
    decide(at) {
      readTo(at)
      read(at)
      const isAdmitted = limiter.allow(1, at)
      if (isAdmitted) admitted++
      // Admitted requests are drawn at different levels and need no turns.
      decisions.push({ at, isAdmitted, level: read(at), turn: isAdmitted ? 0 : turnOf(at) })
    },
    readTo,
  }
}
