import type { Clock } from 'lull/core'
import { createPlan } from './limits-plan.ts'
import type { Pace } from './limits-rows.ts'
import { PAST_MS } from './limits-trace.ts'
import { createTrial, type Trial } from './limits-trial.ts'
import { burstOf, workloads, type WorkloadName } from './limits-workloads.ts'

const BURST = 10

export interface Tally {
  readonly sent: number
  readonly rows: readonly { readonly name: string; readonly words: string; readonly admitted: number }[]
  /** What sends by itself. */
  readonly playing: WorkloadName | 'hold' | undefined
}

/** Puts each request to all limits at the same instant. */
export interface Comparison {
  /** New limits, and nothing sent; then what `workload` names. */
  begin: (pace: Pace, workload?: WorkloadName) => void
  send: () => void
  sendBurst: () => void
  /** Ten a second while on. */
  hold: (isOn: boolean) => void
  /** Sends nothing more by itself. */
  stop: () => void
  /** Sends what is due and reads the levels, up to now: the instant answered. */
  advance: () => number
  /** What there is to draw. */
  trial: () => Trial
  /** Whether the last `PAST_MS` look different a moment later. */
  isMoving: () => boolean
  /** The same object until a request comes. */
  tally: () => Tally
  subscribe: (listener: () => void) => () => void
}

/**
 * What is planned is put to the limits at the instant at which it is due, however late the timer is: so they all decide the
 * same thing on a busy machine as on an idle one.
 */
export function createComparison(pace: Pace, clock: Clock): Comparison {
  const listeners = new Set<() => void>()
  let trial = createTrial(pace, 0, clock)
  let plan = createPlan()
  let workload: WorkloadName | undefined
  let tally: Tally | undefined
  let cancelTimer: (() => void) | undefined

  function advance(): number {
    const now = trial.now()
    const countBefore = trial.count
    while (plan.nextAt <= now) trial.ask(plan.take())
    trial.readTo(now)
    if (trial.count > countBefore) changed()
    return now
  }

  function schedule(): void {
    cancelTimer?.()
    const { nextAt } = plan
    if (nextAt === Infinity) return
    // In whole ms: what is a fraction too early by rounding would be so again and again.
    cancelTimer = clock.after(Math.ceil(nextAt - trial.now()), () => {
      advance()
      // Also if the timer came early, and so nothing was due.
      schedule()
    })
  }

  function changed(): void {
    if (!plan.isPlanned) workload = undefined
    tally = undefined
    schedule()
    for (const listener of listeners) listener()
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
      trial.ask(advance())
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
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
