import type { World } from '../part.ts'
import { createLateness } from './lateness.ts'

export interface Timing {
  wait: number
  maxWait: number
  leading: boolean
  trailing: boolean
}

/** A call of a debounced function, and what its run does. */
export interface Call {
  n: number
  hasRun: boolean
  inside: 'nothing' | 'call' | 'flush' | 'cancel' | 'configure' | 'dispose'
  throws: boolean
}

/** What causes a run; with an empty stack, a timer. */
type Cause = ({ by: 'call'; call: Call } & Since) | { by: 'flush' } | { by: 'run' }

/** The time of a call or run, and the shortest wait since. */
interface Since {
  at: number
  leastWait: number
}

/** A model of a debounce of one key: which runs are allowed, and which are overdue. */
export function createHeldModel({ clock, claim }: World, timing: Timing) {
  const stack: Cause[] = []
  let held: Call | undefined
  let firstHeldAt = 0
  let newest: Call | undefined
  let lastCallAt = -Infinity
  let lastCall: Since = { at: -Infinity, leastWait: Infinity }
  // The same for the last run; its wait is 0 while no distance from it is required.
  let lastRun: Since = lastCall
  const lateness = createLateness(clock)
  // After a backward jump the timer counts, not the clock: distances are not checked for two runs.
  let doubtful = 0
  let setBackMs = clock.setBackMs

  /** Updates the model with changes since the last call. */
  function look(): void {
    const { wait, maxWait } = timing
    if (clock.setBackMs !== setBackMs) doubtful = 2
    setBackMs = clock.setBackMs
    lastCall.leastWait = Math.min(lastCall.leastWait, wait)
    lastRun.leastWait = Math.min(lastRun.leastWait, maxWait < Infinity ? wait : 0)
    lateness.see(wait, maxWait)
  }

  function within(cause: Cause, act: () => void): void {
    look()
    stack.push(cause)
    try {
      act()
    } finally {
      stack.pop()
      look()
    }
  }

  function checkDistance(by: Cause['by'] | 'timer', called: Since): void {
    const { maxWait } = timing
    const [fromRun, fromCall] = [lastRun, called].map(({ at }) => clock.progressMs - at)
    claim(fromRun! >= lastRun.leastWait, 'ran too soon after a run, by', by, fromRun, lastRun.leastWait)
    if (maxWait < Infinity) return
    claim(fromCall! >= called.leastWait, 'ran too soon after a call, by', by, fromCall, called.leastWait)
  }

  return {
    /** Makes `call` by `make`, which rethrows errors of the run. */
    calling(call: Call, make: () => void) {
      look()
      const { leading, trailing } = timing
      const isUsed = leading || trailing
      const before = { ...lastCall }
      if (isUsed) {
        newest = call
        lastCall = { at: clock.progressMs, leastWait: Infinity }
        lastCallAt = clock.elapsedMs
      }
      try {
        within({ by: 'call', call, ...before }, make)
      } finally {
        if (isUsed && !call.hasRun && (trailing || held)) {
          if (!held) firstHeldAt = clock.elapsedMs
          held = call
        }
        look()
      }
    },
    flushing(flush: () => void) {
      within({ by: 'flush' }, flush)
    },
    /** Runs `call` by `run`. */
    running(call: Call, run: () => void) {
      look()
      const cause = stack.at(-1)
      const by = cause?.by ?? 'timer'
      claim(by !== 'run', 'ran inside a run that did not request it')
      claim(call === newest, 'ran with other arguments than the last', call.n, newest?.n)
      claim(!call.hasRun, 'ran a call twice', call.n)
      // As in lodash: with a maxWait a call that finds its window's end overdue runs, whatever the edges are.
      const mayLead = timing.leading || timing.maxWait < Infinity
      if (cause?.by === 'call') claim(cause.call === call && mayLead, 'a call ran what it should not')
      else claim(held === call, 'ran what was not held', call.n, held?.n)
      if (doubtful === 0 && by !== 'flush') checkDistance(by, cause?.by === 'call' ? cause : lastCall)
      call.hasRun = true
      held = undefined
      doubtful = Math.max(doubtful - 1, 0)
      if (by === 'timer' || by === 'flush') lateness.noTimer()
      lastRun = { at: clock.progressMs, leastWait: Infinity }
      within({ by: 'run' }, run)
    },
    reset() {
      held = undefined
      lastCall = lastRun = { at: -Infinity, leastWait: Infinity }
      doubtful = 0
      setBackMs = clock.setBackMs
      lateness.noTimer()
    },
    check(isPending: boolean) {
      look()
      claim(isPending === !!held, 'isPending says', isPending, held?.n)
      if (!held || !clock.isQuiet) return
      const { wait, maxWait } = timing
      const sinceCall = clock.elapsedMs - lastCallAt
      const sinceFirst = clock.elapsedMs - firstHeldAt
      const latest = lateness.latest(wait)
      claim(sinceCall < latest, 'a run is overdue: called before', sinceCall, latest)
      if (!lateness.isSteady()) return
      const latestFirst = Math.max(lateness.longest(), wait, maxWait)
      claim(sinceFirst < latestFirst, 'a run is overdue: first called before', sinceFirst)
    },
  }
}
