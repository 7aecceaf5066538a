import type { Clock } from '../time/clock.ts'
import type { Held } from './held.ts'

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
