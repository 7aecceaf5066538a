import { checkNumberFrom, checkType } from '../shared/check.ts'
import { adviseOnTiming } from '../shared/develop.ts'
import { createListeners } from '../shared/store.ts'
import { LONGEST_MS, systemTimers } from '../time/clock.ts'
import type { AnyFunction, DebounceChanges, Debounced, DebounceOptions, Uninferred } from './debounce.ts'

/** Keeps TypeScript from inferring the arguments from `key`, which may take fewer than `fn`. */
type Given<Args extends readonly unknown[]> = Args extends readonly unknown[] ? Args : never

export interface DebounceKeyedOptions<Args extends readonly unknown[], Key> extends DebounceOptions {
  /** Returns the key of a call: any value except undefined, compared as in a Map. */
  key: (...args: Given<Args>) => Key
  /**
   * Maximum number of known keys, at least 1. A further key evicts the one with the oldest last call, whose pending run comes in
   * the next task. @default Infinity
   */
  maxKeys?: number | undefined
}

/**
 * A debounce for each key. Its methods are bound; without a key they apply to all keys. A call returns `undefined` before the
 * first run of its key, and again after the key was forgotten.
 */
export interface DebouncedByKey<F extends AnyFunction, Key> extends Debounced<F> {
  /** Drops the pending run and forgets the key. */
  cancel: (key?: Key) => void
  /**
   * Runs pending runs now. With a key, returns the result of its last run. Throws what a run throws; without a key, when all
   * have run, and an AggregateError if several threw.
   */
  flush: (key?: Key) => ReturnType<Debounced<F>>
  isPending: (key?: Key) => boolean
  /** The number of known keys: those with a pending run, and those whose last call or run affects the next one. */
  readonly size: number
}

/** The state of one key. It has only one function, which clears the timer, because there may be very many keys. */
interface Burst<This, Args extends readonly unknown[], Result, Key> {
  id: Key
  lastCall: number
  lastRun: number
  opened: number
  /** Set only while a run is pending. */
  args: Args | undefined
  self: This | undefined
  result: Result | undefined
  /** Clears the timer that runs the pending run, or else forgets the key. */
  clearTimer: (() => unknown) | undefined
}

/**
 * A `debounce` for each key: calls with different keys do not replace each other.
 *
 * A key is forgotten as soon as it cannot affect a later run, so memory follows the keys in use. Only the result of its last run
 * is lost. With a `wait` of Infinity no key is forgotten: use `cancel(key)` or `maxKeys`. However many keys there are, `signal` has
 * at most one listener, and only while a run is pending.
 *
 * @param wait in ms, at least 0.
 * @param options see `DebounceKeyedOptions`.
 * @throws as `debounce` does; TypeError if `key` is not a function or `maxKeys` not a number, RangeError for one below 1.
 */
export function debounceKeyed<This, Args extends readonly unknown[], Result, Key>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  {
    key,
    maxKeys = Infinity,
    signal,
    onError = (error) => {
      throw error
    },
    clock = systemTimers,
    ...options
  }: DebounceKeyedOptions<Args, Key>,
): DebouncedByKey<(this: Uninferred<This>, ...args: Args) => Result, Key> {
  type OwnBurst = Burst<This, Args, Result, Key>
  adviseOnTiming('debounceKeyed', wait, options)
  const { subscribe, notify } = createListeners()
  // Keys in the order of their last calls.
  const bursts = new Map<Key, OwnBurst>()
  // Pending runs, those of forgotten keys included.
  const pending = new Set<OwnBurst>()
  let leading = false
  let trailing = true
  let maxWait = Infinity
  let limit: number

  // For one key it works like `debounce`, whose comments give the reasons.
  function debounced(this: This, ...args: Args): Result | undefined {
    const id = key(...(args as Given<Args>))
    if (signal?.aborted || !(leading || trailing)) return undefined
    const now = clock.now()
    const burst = bursts.get(id) ?? enter(id)
    if (now < burst.lastRun) burst.opened = burst.lastRun = now
    const { lastCall, lastRun } = burst
    const isOverdue = now - lastCall >= wait || now - lastRun >= limit
    const isSet = burst.args ?? (!wait && burst.clearTimer)
    const starts = isOverdue && (limit < Infinity ? !leading || now - lastRun >= wait : !isSet)
    burst.lastCall = now
    if (wait === Infinity) burst.opened = now
    bursts.delete(id)
    bursts.set(id, burst)
    if (burst.args && !starts) {
      burst.args = args
      burst.self = this
    } else {
      if (starts) burst.opened = burst.lastRun = now
      else if (burst.opened < lastRun)
        burst.opened = isOverdue ? lastRun : Math.max(lastRun, now + wait - limit)
      const runs = starts && (leading || isSet)
      if (trailing && !runs) hold(burst, args, this)
      else if (!burst.clearTimer) arm(burst)
      if (runs) run(burst, args, this)
    }
    return burst.result
  }

  function enter(id: Key): OwnBurst {
    if (bursts.size + 1 > maxKeys) {
      const [oldest] = bursts.values()
      bursts.delete(oldest!.id)
      // Now its pending run is overdue.
      oldest!.lastCall = -Infinity
      arm(oldest!)
    }
    return {
      id,
      lastCall: -Infinity,
      lastRun: -Infinity,
      opened: -Infinity,
      args: undefined,
      self: undefined,
      result: undefined,
      clearTimer: undefined,
    }
  }

  /** Returns the ms until the pending run, or else until the key cannot affect a later run. */
  function restOf({ args, lastCall, lastRun, opened }: OwnBurst, at: number): number {
    const from = !args && leading && limit < Infinity ? Math.max(lastCall, lastRun) : lastCall
    // An evicted key has no last call: with an infinite wait this is NaN.
    return Math.max(Math.min(wait - (at - from) || 0, args ? limit - (at - opened) : Infinity, LONGEST_MS), 0)
  }

  function clear(burst: OwnBurst): void {
    burst.clearTimer = void burst.clearTimer?.()
  }

  function arm(burst: OwnBurst): void {
    clear(burst)
    const setAt = Math.max(clock.now(), burst.lastCall)
    const delayMs = restOf(burst, setAt)
    // Not with an infinite wait, unless the key was evicted.
    if (wait + burst.lastCall !== Infinity)
      burst.clearTimer = clock.after(delayMs, () => wake(burst, setAt, delayMs))
  }

  function wake(burst: OwnBurst, setAt: number, delayMs: number): void {
    clear(burst)
    const now = clock.now()
    const earlyMs = burst.lastCall > setAt ? delayMs / 2 : now > setAt ? 2 : 0
    if (restOf(burst, now) > 0 && now - setAt >= delayMs - earlyMs) return arm(burst)
    if (!burst.args) return forget(burst)
    burst.opened = -Infinity
    burst.lastRun = now
    try {
      run(burst, burst.args, burst.self)
    } catch (error) {
      onError(error)
    } finally {
      rest(burst)
    }
  }

  function forget(burst: OwnBurst): void {
    if (bursts.get(burst.id) === burst) bursts.delete(burst.id)
  }

  /** After a run: forgets the key, now or later. */
  function rest(burst: OwnBurst): void {
    if (burst.clearTimer || bursts.get(burst.id) !== burst) return
    if (restOf(burst, clock.now()) > 0) arm(burst)
    else bursts.delete(burst.id)
  }

  function hold(burst: OwnBurst, args?: Args, self?: This): void {
    if (args === burst.args) return
    burst.args = args
    burst.self = self
    if (args) {
      pending.add(burst)
      arm(burst)
    } else pending.delete(burst)
    if (pending.size > 0) signal?.addEventListener('abort', cancelAll)
    else signal?.removeEventListener('abort', cancelAll)
    notify()
  }

  function run(burst: OwnBurst, args?: Args, self?: This): void {
    hold(burst)
    burst.result = fn.apply(self as This, args as never)
  }

  function flushOne(burst: OwnBurst): void {
    clear(burst)
    try {
      if (burst.args) {
        burst.opened = burst.lastRun = clock.now()
        run(burst, burst.args, burst.self)
      }
    } finally {
      rest(burst)
    }
  }

  function flush(id?: Key): Result | undefined {
    if (signal?.aborted) return undefined
    if (id !== undefined) {
      const burst = bursts.get(id)
      if (burst) flushOne(burst)
      return burst?.result
    }
    const errors: unknown[] = []
    for (const burst of [...pending]) {
      try {
        flushOne(burst)
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several runs threw')
    if (errors.length > 0) throw errors[0]
    return undefined
  }

  function cancelOne(burst: OwnBurst): void {
    clear(burst)
    hold(burst)
  }

  function cancelAll(): void {
    const all = [...bursts.values(), ...pending]
    bursts.clear()
    all.forEach(cancelOne)
  }

  function cancel(id?: Key): void {
    if (id === undefined) return cancelAll()
    const burst = bursts.get(id)
    bursts.delete(id)
    if (burst) cancelOne(burst)
  }

  function configure(changes: DebounceChanges): void {
    const { wait: newWait = wait, maxWait: newMaxWait = maxWait } = changes
    checkNumberFrom(0, 'wait', newWait)
    checkNumberFrom(0, 'maxWait', newMaxWait)
    ;({ leading = leading, trailing = trailing } = changes)
    limit = Math.max((wait = newWait), (maxWait = newMaxWait))
    bursts.forEach(arm)
  }

  checkType('function', 'fn', fn)
  checkType('function', 'key', key)
  checkType('function', 'onError', onError)
  checkNumberFrom(1, 'maxKeys', maxKeys)
  configure(options)
  const byKey = Object.assign(debounced, {
    cancel,
    flush,
    isPending: (id?: Key) => (id === undefined ? pending.size > 0 : !!bursts.get(id)?.args),
    configure,
    subscribe,
    size: 0,
    [Symbol.dispose]() {
      leading = trailing = false
      cancelAll()
    },
  })
  // `Object.assign` would copy the current value of a getter.
  return Object.defineProperty(byKey, 'size', { get: () => bursts.size })
}
