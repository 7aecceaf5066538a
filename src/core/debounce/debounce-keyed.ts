import { createAlarm } from '../time/alarm.ts'
import { checkFunction } from '../shared/check.ts'
import { systemClock } from '../time/clock.ts'
import type { DebounceChanges, DebounceOptions, HeldAndTimed } from './debounce-types.ts'
import { debounce } from './debounce.ts'
import { createListeners } from '../shared/listeners.ts'
import { checkFrom } from '../limit/rules/check-number.ts'

/** The arguments as `fn` gives them: a `key` that takes fewer has no say in what is inferred. */
type Given<Args extends unknown[]> = Args extends unknown[] ? Args : never

export interface DebounceKeyedOptions<Args extends unknown[], Key> extends DebounceOptions {
  /** What tells the bursts apart: any value but undefined, compared as in a Map. */
  key: (...args: Given<Args>) => Key
  /**
   * The most keys that are known at a time, from 1. For one more, that whose last call is the oldest is forgotten; a
   * run that it has pending comes in the next task. @default Infinity
   */
  maxKeys?: number | undefined
}

/** A debounce for each key. Its methods may be taken off it; called without a key they mean all keys. */
export interface DebouncedByKey<This, Args extends unknown[], Result, Key> extends HeldAndTimed<
  This,
  Args,
  Result
> {
  /** Answers what the last run of its key returned: `undefined` before the first one, and once it is forgotten. */
  (this: This, ...args: Args): Result | undefined
  /** Drops the pending run and forgets the key. */
  cancel: (key?: Key) => void
  /**
   * Runs what is pending now. With a key answers what its last run returned. Throws what the run throws; without a
   * key, when all have run, and an AggregateError if several threw.
   */
  flush: (key?: Key) => Result | undefined
  isPending: (key?: Key) => boolean
  /** How many keys are known: those with a run due, and those whose last call or run the next one depends on. */
  readonly size: number
}

interface Entry<This, Args extends unknown[], Result> {
  held: HeldAndTimed<This, Args, Result>
  /** The last instant that the next run may have to keep its distance from. */
  touchedAt: number
}

/**
 * A `debounce` for each key: calls whose `key(...args)` differ do not replace each other.
 *
 * A key is forgotten as soon as that changes no run, so that memory follows the keys in use; only what its last run
 * returned is lost. With a `wait` of Infinity that is never: use `cancel(key)` or `maxKeys`. However many keys there
 * are, `signal` has one listener, while a run is due.
 *
 * @param wait in ms, from 0.
 * @throws TypeError if `fn` or `key` is no function; RangeError for a number that is out of range.
 */
export function debounceKeyed<This, Args extends unknown[], Result, Key>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { key, maxKeys = Infinity, signal, ...options }: DebounceKeyedOptions<Args, Key>,
): DebouncedByKey<This, Args, Result, Key> {
  checkFunction('key', key)
  checkFrom(1, 'maxKeys', maxKeys)
  // Never called: it refuses what a debounce refuses, while there may be no key that would.
  const model = debounce(fn, wait, options)
  const { clock = systemClock } = options
  let { leading = false, trailing = true, maxWait = Infinity } = options
  const { subscribe, notify } = createListeners()
  const alarm = createAlarm(clock, sweep)
  // In the order in which they were touched.
  const entries = new Map<Key, Entry<This, Args, Result>>()
  // Those of forgotten keys too.
  const pending = new Set<HeldAndTimed<This, Args, Result>>()

  function enter(id: Key): Entry<This, Args, Result> {
    const [oldest] = entries
    if (oldest && entries.size + 1 > maxKeys) {
      entries.delete(oldest[0])
      oldest[1].held.configure({ wait: 0 })
    }
    const held = debounce(fn, wait, { ...options, leading, trailing, maxWait })
    const entry = { held, touchedAt: 0 }
    held.subscribe(() => {
      if (held.isPending()) {
        pending.add(held)
      } else {
        pending.delete(held)
        // The one case where a run keeps the next call from leading.
        if (leading && maxWait < Infinity && entries.get(id) === entry) touch(id, entry)
        awaitIdle()
      }
      signal?.[pending.size > 0 ? 'addEventListener' : 'removeEventListener']('abort', cancelAll)
      notify()
    })
    return entry
  }

  function touch(id: Key, entry: Entry<This, Args, Result>): void {
    entry.touchedAt = clock.now()
    entries.delete(id)
    entries.set(id, entry)
  }

  /** Not in the middle of a call or a run, for at a `wait` of 0 the window is the rest of that task. */
  function sweep(at: number): void {
    const now = Math.max(at, clock.now())
    for (const [id, { held, touchedAt }] of entries) {
      if (touchedAt + wait > now) return alarm.set(touchedAt + wait)
      if (!held.isPending()) entries.delete(id)
    }
  }

  function awaitIdle(): void {
    const [oldest] = entries.values()
    if (oldest) alarm.set(oldest.touchedAt + wait)
    else alarm.clear()
  }

  function cancelAll(): void {
    const helds = new Set(pending)
    for (const { held } of entries.values()) helds.add(held)
    entries.clear()
    alarm.clear()
    for (const held of helds) held.cancel()
  }

  function cancel(id?: Key): void {
    if (id === undefined) return cancelAll()
    const entry = entries.get(id)
    entries.delete(id)
    entry?.held.cancel()
    awaitIdle()
  }

  function flush(id?: Key): Result | undefined {
    if (signal?.aborted) return undefined
    if (id !== undefined) return entries.get(id)?.held.flush()
    const errors: unknown[] = []
    for (const held of [...pending]) {
      try {
        held.flush()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several runs threw')
    if (errors.length > 0) throw errors[0]
    return undefined
  }

  function debounced(this: This, ...args: Args): Result | undefined {
    if (signal?.aborted || !(leading || trailing)) return undefined
    const id = key(...(args as Given<Args>))
    const entry = entries.get(id) ?? enter(id)
    touch(id, entry)
    try {
      return entry.held.apply(this, args)
    } finally {
      if (!entry.held.isPending()) awaitIdle()
    }
  }

  const byKey = Object.assign(debounced, {
    cancel,
    flush,
    isPending: (id?: Key) => (id === undefined ? pending.size > 0 : !!entries.get(id)?.held.isPending()),
    configure(changes: DebounceChanges) {
      model.configure(changes)
      ;({ wait = wait, leading = leading, trailing = trailing, maxWait = maxWait } = changes)
      for (const { held } of entries.values()) held.configure(changes)
      awaitIdle()
    },
    subscribe,
    size: 0,
    [Symbol.dispose]() {
      cancelAll()
      leading = trailing = false
    },
  })
  // Assigned it would be what it is now.
  return Object.defineProperty(byKey, 'size', { get: () => entries.size })
}
