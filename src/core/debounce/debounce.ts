import { checkNumberFrom, checkType } from '../shared/check.ts'
import { adviseOnTiming } from '../shared/develop.ts'
import { report } from '../shared/report.ts'
import { LONGEST_MS, systemTimers, type Timers } from '../time/clock.ts'

/** When a burst of calls makes a run. */
export interface DebounceTiming {
  /** Run at the first call of a burst. @default false */
  leading?: boolean | undefined
  /** Run `wait` ms after the last call of a burst, unless the leading run had that call. @default true */
  trailing?: boolean | undefined
  /** The longest that a call waits while the burst goes on, in ms; raised to `wait` if below it. @default Infinity */
  maxWait?: number | undefined
}

/** The options of `configure`. Omitted options keep their value. */
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
  clock?: Timers | undefined
}

/** Something whose run may be due: what a user interface shows as "pending". */
export interface Pending {
  /** Whether a run is due. */
  isPending: () => boolean
  /** Calls `listener` whenever `isPending` may have changed; the function returned stops that. */
  subscribe: (listener: () => void) => () => void
}

/** Any function. */
export type AnyFunction = (this: never, ...args: never) => unknown

type ThisOf<F> = F extends (this: infer This, ...args: never) => unknown ? This : never
type ArgsOf<F> = F extends (this: never, ...args: infer Args extends readonly unknown[]) => unknown
  ? Args
  : never
type ResultOf<F> = F extends (this: never, ...args: never) => infer Result ? Result : never

/** A function of type `F` whose runs come later. Its methods are bound, so they may be taken off it. */
export interface DelayedFunction<F extends AnyFunction> extends Pending {
  /** Returns what the last run returned: `undefined` before the first one. */
  (this: ThisOf<F>, ...args: ArgsOf<F>): ResultOf<F> | undefined
  /** Drops the pending run: the next call is the first of a burst. */
  cancel: () => void
  /** Runs what is pending now, and returns what the last run returned. Throws what the run throws. */
  flush: () => ResultOf<F> | undefined
  /** Cancels; calls are then ignored, until `configure` turns an edge on. */
  [Symbol.dispose]: () => void
}

/**
 * What `debounce`, `throttle` and the hooks return for a function of type `F`: `DebouncedFunction<(text: string) => void>`.
 * Of an overloaded `F` it has the last overload; of a generic one, the constraints of its type parameters.
 */
export interface DebouncedFunction<F extends AnyFunction> extends DelayedFunction<F> {
  /**
   * Changes the timing from now on. A pending call stays pending and is due the new `wait` after the last call.
   * @throws as `debounce` does for a `wait` or `maxWait`; nothing is changed then.
   */
  configure: (changes: DebounceChanges) => void
}

/**
 * Holds calls of `fn` back until none has come for `wait` ms, then runs it once with the last arguments and `this`.
 *
 * Runs, arguments and results are lodash's for every combination of `leading`, `trailing` and `maxWait`, but with
 * `maxWait` two runs are never closer than `wait`, and waits above 2^31 − 1 ms, and Infinity, are kept.
 * A call in a burst costs one reading of the clock and no timer. Nothing is retained after a run.
 *
 * @param wait in ms, from 0.
 * @param options see `DebounceOptions`.
 * @throws TypeError for an `fn` or `onError` that is not a function, a `wait` or `maxWait` that is not a number; RangeError for
 * one that is negative or NaN.
 */
export function debounce<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  // `report` stands for none.
  { onError = report, clock = systemTimers, signal, ...options }: DebounceOptions = {},
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  adviseOnTiming('debounce', wait, options)
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
 * `debounce` without what the hooks do not use: checks of functions, `onError`, and the cancelling by a signal.
 *
 * @param signal once it is aborted, calls and `flush` run nothing.
 */
export function createDebounced<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  timing: DebounceTiming,
  clock: Timers = systemTimers,
  signal?: AbortSignal,
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  let lastCall = -Infinity
  let lastRun = -Infinity
  // The window of a burst closes `wait` after the last call, but `limit` after this instant at the latest. A run that a timer
  // makes has closed it: this is before the run then.
  let opened: number
  let leading: boolean | undefined
  let trailing = true
  let maxWait = Infinity
  let limit: number
  // Kept only for a run that is due when the window closes: that is "pending".
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
      // With an infinite wait all calls are one burst. Its start must not make the last call overdue when the wait becomes finite.
      if (wait === Infinity) opened = now
      if (lastArgs && !starts) hold(args, this)
      else {
        if (starts) opened = lastRun = now
        else if (opened < lastRun) opened = isOverdue ? lastRun : Math.max(lastRun, now + wait - limit)
        if (starts && (leading || clearTimer)) {
          // At a wait of 0 the window is the rest of this task, which only a timer can tell.
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

  /** Until the window closes, but at most what a timer takes. */
  const untilClose = (at: number): number =>
    Math.min(wait - (at - lastCall), limit - (at - opened), LONGEST_MS)

  const clear = (): void => {
    clearTimer = void clearTimer?.()
  }

  /** Sets the timer for the end of the window. Later calls push the end back, and leave the timer as it is. */
  const arm = (): void => {
    clear()
    // A clock that was set back does not put the run off.
    const setAt = Math.max(clock.now(), lastCall)
    const delayMs = untilClose(setAt)
    if (wait < Infinity)
      clearTimer = clock.after(delayMs, () => {
        clear()
        if (lastArgs) {
          const now = clock.now()
          // One that comes more than 2 ms early, or before the clock moves, proves that the clock does not move with the timers,
          // or was set back.
          if (untilClose(now) > 0 && now - setAt >= delayMs - (now > setAt ? 2 : 0)) arm()
          else {
            opened = -Infinity
            lastRun = now
            run()
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
          // One before it may have removed it.
          if (listeners.has(listener)) listener()
        } catch (error) {
          report(error)
        }
  }

  const run = (args = lastArgs, self = lastThis): void => {
    hold()
    // `apply` has no type for a read-only list.
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
        run()
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
