import fc from 'fast-check'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect } from 'vitest'
import { type Of, scriptsOf } from '../../laws/steps.ts'

/** A log entry of `play`: a step, its result, or a run. */
export interface Entry {
  what: 'call' | 'flush' | 'cancel' | 'answer' | 'run'
  at: number
  /** The number of the call, for a call and a run. */
  n?: number
  /** The arguments and the id of `this`, for a run. */
  args?: unknown[]
  self?: number | undefined
  /** The returned value, for an answer. */
  result?: string | undefined
}

type Self = { id: number } | undefined

/** The function that is debounced. */
export type Fn = (this: Self, n: number, text: string) => string

/** A debounced or throttled `Fn`, ours or lodash's. */
interface HeldFn {
  (this: Self, n: number, text: string): string | undefined
  flush: () => string | undefined
  cancel: () => void
}

export const waits = fc.constantFrom(0, 1, 20, 100)
export const maxWaits = fc.constantFrom(undefined, 0, 20, 30, 150)
export const edges = fc.constantFrom(
  { leading: true, trailing: false },
  { leading: true, trailing: true },
  { leading: false, trailing: true },
)

/** Calls, passages of time, flushes and cancels. */
export const scripts = scriptsOf(40, {
  call: 6,
  advance: [7, { ms: fc.oneof(fc.nat(30), fc.nat(250)) }],
  'flush cancel': 2,
})

export type Step = Of<typeof scripts>

/** Runs `script` on the function from `make`, then all timers, and returns the log. */
export function play(script: readonly Step[], make: (fn: Fn, clock: ManualClock) => HeldFn): Entry[] {
  const clock = createManualClock(1000)
  const log: Entry[] = []
  const note = (what: Entry['what'], rest?: Partial<Entry>): unknown =>
    log.push({ what, at: clock.now() - 1000, ...rest })

  const held = make(function (...args) {
    note('run', { n: args[0], args, self: this?.id })
    return `result of ${args[1]}`
  }, clock)

  let n = 0
  for (const step of script) {
    if (step.do === 'advance') {
      clock.advance(step.ms)
    } else if (step.do === 'call') {
      note('call', { n: ++n })
      note('answer', { result: held.call(n % 3 ? { id: n } : undefined, n, `call ${n}`) })
    } else {
      note(step.do)
      note('answer', { result: held[step.do]() ?? undefined })
    }
  }
  clock.advance(10_000)
  expect(clock.pending).toBe(0)
  return log
}

/**
 * Returns the index of the first run that comes within `wait` of the previous one, without a flush that
 * caused it and without a cancel between them.
 */
export function firstRunTooSoon(log: readonly Entry[], wait: number): number | undefined {
  let last = -Infinity
  let isByFlush = false
  for (const [index, { what, at }] of log.entries()) {
    if (what === 'cancel') last = -Infinity
    if (what === 'flush' || what === 'answer') isByFlush = what === 'flush'
    if (what !== 'run') continue
    if (!isByFlush && at - last < wait) return index
    last = at
  }
  return undefined
}
