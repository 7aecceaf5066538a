import type { LimitRow } from './limits-rows.ts'
import { createTurn, NEAR_MS, type Mark } from '../../strips/turn.ts'

/** How much is shown, in ms. */
export const PAST_MS = 10_000
/** How often a level is read: about a pixel. */
const STEP_MS = 20

interface Sample {
  at: number
  level: number
}

export interface Answer extends Mark, Sample {
  isAdmitted: boolean
}

/** What one limit has answered, and how its level went. Instants must not step back. */
export interface Trace {
  readonly row: LimitRow
  /** The level at the start, which is as full as it gets. */
  readonly capacity: number
  /** The last `PAST_MS`, and one before. */
  readonly samples: readonly Sample[]
  /** Of the last `PAST_MS`. */
  readonly answers: readonly Answer[]
  /** Of all. */
  readonly admitted: number
  /** The last instant at which it was not seen full. */
  readonly lastUsedAt: number
  /** One request. */
  ask: (at: number) => void
  /** Reads the levels up to `at`. */
  readTo: (at: number) => void
}

export function createTrace(row: LimitRow, from: number): Trace {
  const { limiter } = row
  const capacity = limiter.remaining(from)
  // It has been full for ever.
  const samples: Sample[] = [{ at: from - PAST_MS, level: capacity }]
  const answers: Answer[] = []
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

  /** As nothing was taken since the last reading, what has passed meanwhile can be read now. */
  function readTo(at: number): void {
    steps = Math.max(steps, Math.floor((at - PAST_MS) / STEP_MS) - 1)
    while ((steps + 1) * STEP_MS <= at) read(++steps * STEP_MS)
    while (samples[1] && samples[1].at <= at - PAST_MS) samples.shift()
    while (answers[0] && answers[0].at < at - PAST_MS) answers.shift()
  }

  return {
    row,
    capacity,
    samples,
    answers,
    get admitted() {
      return admitted
    },
    get lastUsedAt() {
      return lastUsedAt
    },
    ask(at) {
      readTo(at)
      read(at)
      const isAdmitted = limiter.allow(1, at)
      if (isAdmitted) admitted++
      // Those that are admitted lie apart by their levels.
      answers.push({ at, isAdmitted, level: read(at), turn: isAdmitted ? 0 : turnOf(at) })
    },
    readTo,
  }
}
