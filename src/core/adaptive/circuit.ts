import type { CallOutcome } from './call-outcome.ts'
import type { CircuitState } from './circuit-breaker-types.ts'
import { createRollingCounts, type CallCounts } from './rolling-counts.ts'

/** When a circuit opens, and for how long. */
export interface CircuitLimits {
  failureRatio: number
  minimumCalls: number
  windowMs: number
  openMs: number
}

/** The states of a circuit: arithmetic, given the instant. No `now` is before an earlier one. */
export interface Circuit {
  /** Open until something is done: whether a probe may go, `stateAt` reads from `now`. */
  readonly state: CircuitState
  /** While open: the instant from which a probe may go. */
  readonly until: number
  /** Goes up with each change of state and each probe. */
  readonly ticket: number
  stateAt: (now: number) => CircuitState
  /** 0: a call may go. Infinity: not before the probe has ended. */
  waitMs: (now: number) => number
  /** A call goes that may. */
  take: () => void
  end: (outcome: CallOutcome, ticket: number, now: number) => void
  halfOpen: () => void
  close: () => void
  counts: (now: number) => CallCounts
}

/** A circuit that is closed, begun at `start`. */
export function createCircuit(
  { failureRatio, minimumCalls, windowMs, openMs }: CircuitLimits,
  start: number,
): Circuit {
  const counts = createRollingCounts(windowMs, start)
  let state: CircuitState = 'closed'
  let until = -Infinity
  let ticket = 0
  let isProbing = false

  function turn(to: CircuitState): void {
    state = to
    ticket++
    isProbing = false
  }

  function close(): void {
    counts.clear()
    turn('closed')
  }

  function open(now: number): void {
    until = now + openMs
    turn('open')
  }

  return {
    get state() {
      return state
    },
    get until() {
      return until
    },
    get ticket() {
      return ticket
    },
    stateAt: (now) => (state === 'open' && now >= until ? 'half-open' : state),
    waitMs(now) {
      if (state === 'open') return Math.max(until - now, 0)
      return isProbing ? Infinity : 0
    },
    take() {
      if (state === 'closed') return
      turn('half-open')
      isProbing = true
    },
    end(outcome, its, now) {
      if (its !== ticket) return
      if (state === 'closed' && outcome !== 'neutral') {
        counts.add(outcome === 'failure', now)
        const { calls, failures } = counts.at(now)
        if (calls >= minimumCalls && failures / calls >= failureRatio) open(now)
      } else if (isProbing) {
        if (outcome === 'success') close()
        else if (outcome === 'failure') open(now)
        else turn('half-open')
      }
    },
    halfOpen: () => turn('half-open'),
    close,
    counts: counts.at,
  }
}
