import type { Clock } from 'lull/core'
import { createRows, type Pace } from './limits-rows.ts'
import { createTrace, PAST_MS, type Trace } from './limits-trace.ts'
import { createTurn, NEAR_MS, type Mark } from '../../strips/turn.ts'

/** New limits of one pace, and what they are asked. Instants are of its own clock, and must not step back. */
export interface Trial {
  readonly pace: Pace
  readonly traces: readonly Trace[]
  /** The requests of the last `PAST_MS`. */
  readonly sent: readonly Mark[]
  /** How many requests there were. */
  readonly count: number
  now: () => number
  /** Puts one request to all. */
  ask: (at: number) => void
  /** Reads the levels up to `at`. */
  readTo: (at: number) => void
}

/** @param from what its clock reads at the start: windows begin at the multiples of their length by it. */
export function createTrial(pace: Pace, from: number, clock: Clock): Trial {
  const origin = clock.now() - from
  const now = () => clock.now() - origin
  const traces = createRows(pace, { ...clock, now }).map((row) => createTrace(row, from))
  const sent: Mark[] = []
  const turnOf = createTurn(NEAR_MS)
  let count = 0

  return {
    pace,
    traces,
    sent,
    get count() {
      return count
    },
    now,
    ask(at) {
      count++
      sent.push({ at, turn: turnOf(at) })
      for (const trace of traces) trace.ask(at)
    },
    readTo(at) {
      for (const trace of traces) trace.readTo(at)
      while (sent[0] && sent[0].at < at - PAST_MS) sent.shift()
    },
  }
}
