import { createAlarm } from './alarm.ts'
import { checkFunction } from './check.ts'
import { systemClock, type Clock } from './clock.ts'
import type { Held } from './held.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { checkFrom } from './rules/check-number.ts'

/** When a burst of calls makes a run. */
export interface DebounceTiming {
  /** Run at the first call of a burst. @default false */
  leading?: boolean | undefined
  /** Run `wait` ms after the last call of a burst, unless the leading run had that call. @default true */
  trailing?: boolean | undefined
  /** The longest that a call waits while the burst goes on, in ms; raised to `wait` if below it. @default Infinity */
  maxWait?: number | undefined
}

/** What `configure` takes: what is absent, or undefined, stays as it is. */
export interface DebounceChanges extends DebounceTiming {
  /** In ms, from 0. */
  wait?: number | undefined
}

export interface DebounceOptions extends DebounceTiming {
  /** Once it aborts, what is pending is dropped and calls are ignored. */
  signal?: AbortSignal | undefined
  /** Receives what `fn` throws when a timer runs it. Without it the error surfaces as from any timer. */
  onError?: ((error: unknown) => void) | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

export interface HeldAndTimed<This, Args extends unknown[], Result> extends Held<This, Args, Result> {
  /**
   * Changes the timing from now on. What is pending stays so, due `wait` (as it is then) after the last call.
   * @throws RangeError for a `wait` or `maxWait` that is negative or not a number; nothing is changed then.
   */
  configure: (changes: DebounceChanges) => void
}

/** What `debounce` makes of a function of type `F`. */
export type Debounced<F> = F extends (this: infer This, ...args: infer Args) => infer Result
  ? HeldAndTimed<This, Args, Result>
  : never

/**
 * Holds calls of `fn` back until none has come for `wait` ms, then runs it once with the last arguments and `this`.
 *
 * Runs, arguments and answers are lodash's for every combination of `leading`, `trailing` and `maxWait`, but with
 * `maxWait` two runs are never closer than `wait`, and waits above 2^31 − 1 ms, and Infinity, are kept.
 * A call in a burst costs one reading of the clock and no timer. Nothing is retained after a run.
 *
 * @param wait in ms, from 0.
 * @throws TypeError if `fn` is not a function; RangeError for a `wait` or `maxWait` that is negative or not a number.
 * @see seed 000, "Debounce — Mathematical Model"
 */
export function debounce<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  options: DebounceOptions = {},
): HeldAndTimed<This, Args, Result> {
  checkFunction('fn', fn)
  const { signal, onError, clock = systemClock } = options
  if (onError) checkFunction('onError', onError)
  let listeners: Listeners | undefined
  const alarm = createAlarm(clock, onDue)

  let leading = false
  let trailing = true
  let maxWait = Infinity
  let limit = Infinity

  let lastCall = -Infinity
  let lastRun = -Infinity
  // A burst's window closes `wait` after the last call, but at the deadline at the latest.
  let deadline = -Infinity
  const closesAt = (): number => Math.min(lastCall + wait, deadline)
  // Held only for a run that is due when the window closes: that is "pending".
  let held: Args | undefined
  let self: This | undefined
  let result: Result | undefined

  function configure(changes: DebounceChanges): void {
    const { wait: newWait = wait, maxWait: newMaxWait = maxWait } = changes
    checkFrom(0, 'wait', newWait)
    checkFrom(0, 'maxWait', newMaxWait)
    // A wait without end makes one burst of all calls: its start is no reason to run the last of them at once.
    const since = wait === Infinity ? lastCall + newWait : -Infinity
    wait = newWait
    maxWait = newMaxWait
    const newLimit = Math.max(wait, maxWait)
    if (newLimit !== limit) deadline = Math.max(lastRun + newLimit, since)
    limit = newLimit
    ;({ leading = leading, trailing = trailing } = changes)
    if (alarm.isSet()) alarm.set(closesAt())
  }

  function hold(args?: Args, withSelf?: This): void {
    const isChange = !held !== !args
    held = args
    self = withSelf
    if (isChange) {
      signal?.[args ? 'addEventListener' : 'removeEventListener']('abort', cancel)
      listeners?.notify()
    }
  }

  function run(args: Args, withSelf: This, now: number): Result {
    lastRun = now
    hold()
    return (result = fn.apply(withSelf, args))
  }

  function flush(): Result | undefined {
    alarm.clear()
    if (!held || signal?.aborted) return result
    const now = clock.now()
    deadline = now + limit
    return run(held, self as This, now)
  }

  function onDue(at: number): void {
    if (!held) return
    // Calls since the alarm was set have pushed the end of the window back.
    if (closesAt() > at) return alarm.set(closesAt())
    deadline = -Infinity
    try {
      run(held, self as This, clock.now())
    } catch (error) {
      if (!onError) throw error
      onError(error)
    }
  }

  function cancel(): void {
    alarm.clear()
    lastCall = lastRun = -Infinity
    hold()
  }

  function debounced(this: This, ...args: Args): Result | undefined {
    if (signal?.aborted || !(leading || trailing)) return result
    const now = clock.now()
    const isSet = alarm.isSet()
    const isOpen = isSet || now < closesAt()
    const isOverdue = now - lastCall >= wait || now - lastRun >= limit
    lastCall = now
    if (isOverdue || !isOpen) {
      const starts = isOverdue && (limit < Infinity ? !leading || now - lastRun >= wait : !isOpen)
      if (starts) deadline = (lastRun = now) + limit
      else if (!isOpen) deadline = Math.max(lastRun + limit, isOverdue ? now : now + wait)
      // At a wait of 0 the window is the rest of this task, which only a timer can tell.
      if (!wait) alarm.set(now)
      if (starts && (leading || isSet)) return run(args, this, now)
    }
    if (trailing || held) {
      if (!isSet) alarm.set(closesAt())
      hold(args, this)
    }
    return result
  }

  configure({ ...options, wait })
  return Object.assign(debounced, {
    cancel,
    flush,
    isPending: () => !!held,
    configure,
    subscribe: (listener: () => void) => (listeners ??= createListeners()).subscribe(listener),
    [Symbol.dispose]() {
      cancel()
      leading = trailing = false
    },
  })
}
