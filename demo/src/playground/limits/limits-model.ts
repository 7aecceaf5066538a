import type { Clock } from 'lull/core'
import { createListeners } from '../../listeners.ts'
import { createPlan } from './limits-plan.ts'
import type { Pace } from './limits-rows.ts'
import { PAST_MS } from './limits-trace.ts'
import { createTrial, type Trial } from './limits-trial.ts'
import { burstOf, workloads, type WorkloadName } from './limits-workloads.ts'

const BURST = 10

export interface Tally {
  readonly sent: number
  readonly rows: readonly { readonly name: string; readonly words: string; readonly admitted: number }[]
  /** The running workload; 'hold' while the button is held. */
  readonly playing: WorkloadName | 'hold' | undefined
}

/** Sends each request to all limits at the same instant. */
export interface Comparison {
  /** Creates new limits without history, and plays `workload` if given. */
  begin: (pace: Pace, workload?: WorkloadName) => void
  send: () => void
  sendBurst: () => void
  /** Sends ten requests a second while on. */
  hold: (isOn: boolean) => void
  /** Stops the workload and the hold. */
  stop: () => void
  /** Sends the requests that are due and samples the levels up to now. Returns the current instant. */
  advance: () => number
  /** The state to draw. */
  trial: () => Trial
  /** Whether the picture of the last `PAST_MS` still changes. */
  isMoving: () => boolean
  /** The same object until it changes. */
  tally: () => Tally
  subscribe: (listener: () => void) => () => void
}

/**
 * Planned requests use their due instant even if the timer is late, so the decisions do not depend on the
 * load of the machine.
 */
export function createComparison(pace: Pace, clock: Clock): Comparison {
  const { notify, subscribe } = createListeners()
  let trial = createTrial(pace, 0, clock)
  let plan = createPlan()
  let workload: WorkloadName | undefined
  let tally: Tally | undefined
  let cancelTimer: (() => void) | undefined

  function advance(): number {
    const now = trial.now()
    const countBefore = trial.count
    while (plan.nextAt <= now) trial.decide(plan.take())
    trial.readTo(now)
    if (trial.count > countBefore) changed()
    return now
  }

  function schedule(): void {
    cancelTimer?.()
    const { nextAt } = plan
    if (nextAt === Infinity) return
    // Whole ms: a timer that is early by a rounding error would be rescheduled again and again.
    cancelTimer = clock.after(Math.ceil(nextAt - trial.now()), () => {
      advance()
      // Needed if the timer fired early and nothing was due.
      schedule()
    })
  }

  function changed(): void {
    if (!plan.isPlanned) workload = undefined
    tally = undefined
    schedule()
    notify()
  }

  function stop(): void {
    plan = createPlan()
    changed()
  }

  function readTally(): Tally {
    const rows = trial.traces.map(({ row: { name, words }, admitted }) => ({ name, words, admitted }))
    return { sent: trial.count, rows, playing: plan.isHeld ? 'hold' : workload }
  }

  return {
    begin(pace, name) {
      const { from, instants } = name ? workloads[name](pace) : { from: 0, instants: [] }
      trial = createTrial(pace, from, clock)
      plan = createPlan()
      plan.add(instants)
      workload = name
      changed()
    },
    send() {
      trial.decide(advance())
      changed()
    },
    sendBurst() {
      plan.add(burstOf(BURST, advance(), trial.pace))
      advance()
    },
    hold(isOn) {
      const now = advance()
      if (isOn === plan.isHeld) return
      plan.holdFrom(isOn ? now : Infinity)
      if (isOn) advance()
      else changed()
    },
    stop,
    advance,
    trial: () => trial,
    isMoving() {
      const since = trial.now() - PAST_MS
      return plan.nextAt < Infinity || trial.traces.some(({ lastUsedAt }) => lastUsedAt > since)
    },
    tally: () => (tally ??= readTally()),
    subscribe,
  }
}
