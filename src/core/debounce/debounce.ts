import { checkNumberFrom, checkType } from '../shared/check.ts'
import { adviseOnTiming } from '../shared/develop.ts'
import { report } from '../shared/report.ts'
import { LONGEST_MS, systemTimers, type Timers } from '../time/clock.ts'

/** When a burst of calls leads to a run. */
export interface DebounceTiming {
  /** Run at the first call of a burst. @default false */
  leading?: boolean | undefined
  /** Run `wait` ms after the last call of a burst, unless the leading run was for that call. @default true */
  trailing?: boolean | undefined
  /** Maximum time that a call waits while the burst continues, in ms. Raised to `wait` if below it. @default Infinity */
  maxWait?: number | undefined
}

/** The options of `configure`. Omitted options keep their value. */
export interface DebounceChanges extends DebounceTiming {
  /** In ms, at least 0. */
  wait?: number | undefined
}

export interface DebounceOptions extends DebounceTiming {
  /** When it aborts, a pending run is dropped; from then on, calls are ignored. */
  signal?: AbortSignal | undefined
  /** Receives errors of `fn` in runs by a timer. Without it they surface as from any timer. */
  onError?: ((error: unknown) => void) | undefined
  /** @default systemClock */
  clock?: Timers | undefined
}

/** Something that may have a pending run. */
export interface Pending {
  /** Whether a run is due. */
  isPending: () => boolean
  /** Calls `listener` whenever `isPending` may have changed. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

/** Any function. */
export type AnyFunction = (this: never, ...args: never) => unknown

type ThisOf<F> = F extends (this: infer This, ...args: never) => unknown ? This : never
type ArgsOf<F> = F extends (this: never, ...args: infer Args extends readonly unknown[]) => unknown
  ? Args
  : never

/** Keeps TypeScript from inferring `This` from the use of a result: `window.onresize` has two types of handler. */
export type Uninferred<This> = [This][This extends unknown ? 0 : never]

/** A function of type `F` with delayed runs. Its methods are bound: they work without the object. */
export interface DelayedFunction<F extends AnyFunction> extends Pending {
  /** Returns the result of the last run, `undefined` before the first one. */
  (this: ThisOf<F>, ...args: ArgsOf<F>): ReturnType<F> | undefined
  /** Drops the pending run. The next call is the first of a burst. */
  cancel: () => void
  /** Runs a pending run now. Returns the result of the last run. Throws what the run throws. */
  flush: () => ReturnType<F> | undefined
  /** Drops the pending run. Calls are ignored from then on, until `configure` turns an edge on. */
  [Symbol.dispose]: () => void
}

/**
 * What `debounce`, `throttle` and the hooks return for a function of type `F`: `Debounced<(text: string) => void>`.
 * An overloaded `F` keeps only its last overload; a generic `F` gets the constraints of its type parameters.
 */
export interface Debounced<F extends AnyFunction> extends DelayedFunction<F> {
  /**
   * Changes the timing. A pending run stays pending; it is due when the new `wait` has passed since the last call.
   * @throws as `debounce` does for an invalid `wait` or `maxWait`, and then changes nothing.
   */
  configure: (changes: DebounceChanges) => void
}

/**
 * Returns a function that runs `fn` once no call has come for `wait` ms, with the last arguments and `this`.
 *
 * Runs, arguments and results equal lodash's for every combination of `leading`, `trailing` and `maxWait`, except that with
 * `maxWait` calls alone never cause two runs within `wait`, and that waits above 2^31 − 1 ms, including Infinity, work.
 * A call in a burst reads the clock once and sets no timer. No argument is retained after a run.
 *
 * @param wait in ms, at least 0.
 * @param options see `DebounceOptions`.
 * @throws TypeError if `fn` or `onError` is not a function, or `wait` or `maxWait` not a number; RangeError for one below 0 or NaN.
 */
export function debounce<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  options: DebounceOptions = {},
): Debounced<(this: Uninferred<This>, ...args: Args) => Result> {
  adviseOnTiming('debounce', wait, options)
  // The default `report` means that there is no `onError`.
  const { onError = report, clock = systemTimers, signal } = options
  checkType('function', 'fn', fn)
  checkType('function', 'onError', onError)
  const timers: Timers =
    onError === report
      ? clock
      : {
          now: () => clock.now(),
          after: (delayMs, callback) =>
            clock.after(delayMs, () => {
              try {
                callback()
              } catch (error) {
                onError(error)
              }
            }),
        }
  const debounced = createDebounced(fn, wait, options, timers, signal)
  // The signal retains `debounced` only while a run is due.
  if (signal)
    debounced.subscribe(() =>
      signal[debounced.isPending() ? 'addEventListener' : 'removeEventListener']('abort', debounced.cancel),
    )
  return debounced
}

/**
 * `debounce` without the parts that the hooks do not use: checks of functions, `onError`, and cancelling when a signal aborts.
 *
 * @param signal when it is aborted, calls and `flush` run nothing.
 */
export function createDebounced<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  timing: DebounceTiming,
  clock: Timers = systemTimers,
  signal?: AbortSignal,
): Debounced<(this: Uninferred<This>, ...args: Args) => Result> {
  let lastCall = -Infinity
  let lastRun = -Infinity
  // The window of a burst closes `wait` after the last call, or `limit` after this instant if that is earlier. After a run by a
  // timer the window is closed: then this is before the run.
  let opened: number
  let leading: boolean | undefined
  let trailing = true
  let maxWait = Infinity
  let limit: number
  // Set only while a run is pending, that is, due when the window closes.
  let lastArgs: Args | undefined
  let lastThis: This | undefined
  let result: Result | undefined
  let clearTimer: (() => unknown) | undefined
  let listeners: Set<() => void> | undefined

  function debounced(this: This, ...args: Args): Result | undefined {
    if (!signal?.aborted && (leading || trailing)) {
      const now = clock.now()
      // The clock was set back: the gap to the last run starts anew.
      if (now < lastRun) opened = lastRun = now
      const isOverdue = now - lastCall >= wait || now - lastRun >= limit
      const starts = isOverdue && (limit < Infinity ? !leading || now - lastRun >= wait : !clearTimer)
      lastCall = now
      // With an infinite wait all calls are one burst. If the wait becomes finite, the last call must not be overdue.
      if (wait === Infinity) opened = now
      if (lastArgs && !starts) hold(args, this)
      else {
        if (starts) opened = lastRun = now
        else if (opened < lastRun) opened = isOverdue ? lastRun : Math.max(lastRun, now + wait - limit)
        if (starts && (leading || clearTimer)) {
          // With a wait of 0 the window is the rest of this task. Only a timer shows when that ends.
          if (!wait) arm()
          run(args, this)
        } else if (trailing) {
          arm()
          hold(args, this)
        }
      }
    }
    return result
  }

  /** Returns the ms until the window closes: at least 0, as Node warns of a negative delay, at most the longest delay of a timer. */
  const untilClose = (at: number): number =>
    Math.max(Math.min(wait - (at - lastCall), limit - (at - opened), LONGEST_MS), 0)

  const clear = (): void => {
    clearTimer = void clearTimer?.()
  }

  /** Sets the timer for the end of the window. Later calls push that end back without a new timer. */
  const arm = (): void => {
    clear()
    // A clock that was set back does not delay the run.
    const setAt = Math.max(clock.now(), lastCall)
    const delayMs = untilClose(setAt)
    if (wait < Infinity)
      clearTimer = clock.after(delayMs, () => {
        clear()
        if (lastArgs) {
          const now = clock.now()
          // A timer that fires more than 2 ms early, or before the clock has moved, proves that the clock does not move with the
          // timers, or was set back. Then the run is due. But if calls have pushed the end back, and the clock has moved by half of the
          // delay, it is only coarse: that of Firefox with `privacy.resistFingerprinting` has steps of 17 ms or more.
          const earlyMs = lastCall > setAt ? delayMs / 2 : now > setAt ? 2 : 0
          if (untilClose(now) > 0 && now - setAt >= delayMs - earlyMs) arm()
          else {
            opened = -Infinity
            lastRun = now
            run(lastArgs, lastThis)
          }
        }
      })
  }

  const hold = (args?: Args, self?: This): void => {
    const isChange = !args !== !lastArgs
    lastArgs = args
    lastThis = self
    if (isChange && listeners)
      for (const listener of [...listeners])
        try {
          // An earlier listener may have removed it.
          if (listeners.has(listener)) listener()
        } catch (error) {
          report(error)
        }
  }

  const run = (args?: Args, self?: This): void => {
    hold()
    // The types of `apply` do not accept a read-only array.
    result = fn.apply(self as This, args as never)
  }

  const cancel = (): void => {
    clear()
    lastCall = lastRun = -Infinity
    hold()
  }

  const configure = (changes: DebounceChanges): void => {
    const { wait: newWait = wait, maxWait: newMaxWait = maxWait } = changes
    checkNumberFrom(0, 'wait', newWait)
    checkNumberFrom(0, 'maxWait', newMaxWait)
    ;({ leading = leading, trailing = trailing } = changes)
    limit = Math.max((wait = newWait), (maxWait = newMaxWait))
    if (lastArgs) arm()
  }

  configure(timing)
  return Object.assign(debounced, {
    cancel,
    configure,
    flush: () => {
      clear()
      if (lastArgs && !signal?.aborted) {
        opened = lastRun = clock.now()
        run(lastArgs, lastThis)
      }
      return result
    },
    isPending: () => !!lastArgs,
    subscribe(listener: () => void) {
      const all = (listeners ??= new Set()).add(listener)
      return () => all.delete(listener)
    },
    [Symbol.dispose]() {
      leading = trailing = false
      cancel()
    },
  })
}
