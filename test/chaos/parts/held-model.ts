import type { World } from '../part.ts'

export interface Timing {
  wait: number
  maxWait: number
  leading: boolean
  trailing: boolean
}

/** A call of a held function, and what its run is to do. */
export interface Call {
  n: number
  hasRun: boolean
  inside: 'nothing' | 'call' | 'flush' | 'cancel' | 'configure' | 'dispose'
  throws: boolean
}

/** What asks for a run; nothing on the stack: a timer. */
type Cause = ({ by: 'call'; call: Call } & Since) | { by: 'flush' } | { by: 'run' }

/** When the last call was, and the least wait that there has been since. */
interface Since {
  at: number
  leastWait: number
}

/** What a debounce of one key may do, and what it must have done. */
export interface HeldModel {
  readonly held: Call | undefined
  /** `call` is made, in `make`: which throws what the run throws. */
  calling: (call: Call, make: () => void) => void
  flushing: (flush: () => void) => void
  /** `call` runs, in `run`. */
  running: (call: Call, run: () => void) => void
  reset: () => void
  /** What is held makes no run that can be seen. */
  drop: () => void
  check: (isPending: boolean) => void
}

/** @param timing the timing that holds now. */
export function createHeldModel({ clock, claim }: World, timing: () => Timing): HeldModel {
  const stack: Cause[] = []
  let held: Call | undefined
  let firstHeldAt = 0
  let newest: Call | undefined
  let lastCallAt = -Infinity
  let lastCall: Since = { at: -Infinity, leastWait: Infinity }
  // Of the last run the same; as long as a run need keep no distance from it, a wait of 0.
  let lastRun: Since = lastCall
  // Since there was no timer the last time: the longest that one can have been set for, and how the clock was set then.
  let longest = 0
  let hadEnd = true
  let setBackThen = clock.setBackMs
  let forwardThen = 0
  // Once the clock has been set back, a timer is believed, and not the clock: until two runs later the past says nothing.
  let doubtful = 0
  let setBackMs = clock.setBackMs

  /** Looks at what may have changed since the last time. */
  function look(): void {
    const { wait, maxWait } = timing()
    if (clock.setBackMs !== setBackMs) doubtful = 2
    setBackMs = clock.setBackMs
    lastCall.leastWait = Math.min(lastCall.leastWait, wait)
    lastRun.leastWait = Math.min(lastRun.leastWait, maxWait < Infinity ? wait : 0)
    // A wait without end makes one burst of all calls, whose first one counts for nothing then.
    if (!hadEnd) firstHeldAt = lastCallAt
    hadEnd = wait < Infinity
    for (const ms of [wait, maxWait]) if (ms < Infinity) longest = Math.max(longest, ms)
  }

  function noTimer(): void {
    longest = 0
    setBackThen = clock.setBackMs
    forwardThen = clock.progressMs - clock.elapsedMs
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
    const { maxWait } = timing()
    const [fromRun, fromCall] = [lastRun, called].map(({ at }) => clock.progressMs - at)
    claim(fromRun! >= lastRun.leastWait, 'ran too soon after a run, by', by, fromRun, lastRun.leastWait)
    if (maxWait < Infinity) return
    claim(fromCall! >= called.leastWait, 'ran too soon after a call, by', by, fromCall, called.leastWait)
  }

  return {
    get held() {
      return held
    },
    calling(call, make) {
      look()
      const { leading, trailing } = timing()
      const isHeard = leading || trailing
      const before = { ...lastCall }
      if (isHeard) {
        newest = call
        lastCall = { at: clock.progressMs, leastWait: Infinity }
        lastCallAt = clock.elapsedMs
      }
      try {
        within({ by: 'call', call, ...before }, make)
      } finally {
        if (isHeard && !call.hasRun && (trailing || held)) {
          if (!held) firstHeldAt = clock.elapsedMs
          held = call
        }
        look()
      }
    },
    flushing(flush) {
      within({ by: 'flush' }, flush)
    },
    running(call, run) {
      look()
      const cause = stack.at(-1)
      const by = cause?.by ?? 'timer'
      claim(by !== 'run', 'ran inside of a run that did not ask for it')
      claim(call === newest, 'ran with other arguments than the last', call.n, newest?.n)
      claim(!call.hasRun, 'ran a call twice', call.n)
      // As in lodash: with a maxWait a call that finds its window's end overdue runs, whatever the edges.
      const mayLead = timing().leading || timing().maxWait < Infinity
      if (cause?.by === 'call') claim(cause.call === call && mayLead, 'a call ran what it should not')
      else claim(held === call, 'ran what was not held', call.n, held?.n)
      if (doubtful === 0 && by !== 'flush') checkDistance(by, cause?.by === 'call' ? cause : lastCall)
      call.hasRun = true
      held = undefined
      doubtful = Math.max(doubtful - 1, 0)
      if (by === 'timer' || by === 'flush') noTimer()
      lastRun = { at: clock.progressMs, leastWait: Infinity }
      within({ by: 'run' }, run)
    },
    reset() {
      held = undefined
      lastCall = lastRun = { at: -Infinity, leastWait: Infinity }
      doubtful = 0
      setBackMs = clock.setBackMs
      noTimer()
    },
    drop() {
      held = undefined
    },
    check(isPending) {
      look()
      claim(isPending === !!held, 'isPending says', isPending, held?.n)
      if (!held || !clock.isQuiet) return
      const { wait, maxWait } = timing()
      const sinceCall = clock.elapsedMs - lastCallAt
      const sinceFirst = clock.elapsedMs - firstHeldAt
      const backMs = clock.setBackMs - setBackThen
      const isSteady = backMs === 0 && clock.progressMs - clock.elapsedMs === forwardThen
      // A timer that was set before the clock was set forward is not set anew: it may be as late as it was long.
      const latest = isSteady || wait === Infinity ? wait : longest + backMs
      claim(sinceCall < latest, 'a run is overdue: called before', sinceCall, latest)
      if (isSteady)
        claim(
          sinceFirst < Math.max(longest, wait, maxWait),
          'a run is overdue: first called before',
          sinceFirst,
        )
    },
  }
}
