import type { Clock } from 'lull/core'
import { createRows, type Pace } from './limits-rows.ts'
import { createTrace, PAST_MS, type Trace } from './limits-trace.ts'
import { createTurn, NEAR_MS, type Mark } from '../../strips/turn.ts'

/** Limits of one pace and the requests sent to them. Instants are in its own time and must not decrease. */
export interface Trial {
  readonly pace: Pace
  readonly traces: readonly Trace[]
  /** The requests of the last `PAST_MS`. */
  readonly sent: readonly Mark[]
  /** The total number of requests. */
  readonly count: number
  now: () => number
  /** Sends one request to all limits. */
  decide: (at: number) => void
  /** Samples the levels up to `at`. */
  readTo: (at: number) => void
}

/**
 * @param from the start instant in its own time, in ms. Windows start at the multiples of their length in
 * that time.
 */
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
    decide(at) {
      count++
      sent.push({ at, turn: turnOf(at) })
      for (const trace of traces) trace.decide(at)
    },
    readTo(at) {
      for (const trace of traces) trace.readTo(at)
      while (sent[0] && sent[0].at < at - PAST_MS) sent.shift()
    },
  }
}
