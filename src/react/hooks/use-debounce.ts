import { useContext, useEffect, useState } from 'react'
import { createDebounced, type DebounceTiming } from '../../core/debounce/debounce.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import type { Timers } from '../../core/time/clock.ts'
import { createAttach, type Triggers } from '../attachments.ts'
import { ClockContext, type LeavingOptions, type TimingOptions } from '../use-lifecycle.ts'

/** Returns whether two values are equal. A change to an equal value is ignored. */
export type Equals<Value> = (next: Value, previous: Value) => boolean

/** Calls `set`. React's `startTransition` keeps the old value on screen while a slow view of the new one renders. */
export type Commit = (set: () => void) => void

export interface ValueOptions<Value> {
  /** Compares two values. @default by Object.is; arrays and plain objects by their members, nested ones too */
  equals?: Equals<Value> | undefined
  /** A function that sets a new value, such as React's `startTransition`. @default at once */
  commit?: Commit | undefined
}

interface TimedValueOptions<Value>
  extends ValueOptions<Value>, TimingOptions, Pick<LeavingOptions, 'flushOn'> {}

export type DebounceValueOptions<Value> = Omit<TimedValueOptions<Value>, 'trailing'>

export interface ThrottleValueOptions<Value> extends Omit<TimedValueOptions<Value>, 'leading' | 'maxWait'> {
  /** Show the first change at once. @default true */
  leading?: boolean | undefined
}

export const commitAtOnce: Commit = (set) => set()

type Literal = Record<PropertyKey, unknown>

/** Returns the keys of an array, a plain object, or an object without a prototype (query parsers make those). */
const membersOf = (value: unknown): PropertyKey[] | undefined =>
  value && [Array, Object, undefined].includes((value as Literal).constructor as never)
    ? Reflect.ownKeys(value)
    : undefined

/**
 * Whether two values are identical, or arrays or plain objects whose members are the same values: a literal made in each render is
 * equal. Values nested deeper than `depth` differ: so the comparison of objects that contain each other ends, and soon.
 */
export const isSameValue = (a: unknown, b: unknown, depth = 9): boolean =>
  Object.is(a, b) ||
  (membersOf(a)?.length === membersOf(b)?.length &&
    depth > 0 &&
    !!membersOf(a)?.every(
      (key) => key in (b as Literal) && isSameValue((a as Literal)[key], (b as Literal)[key], depth - 1),
    ))

/**
 * Debounces the values passed to `follow`, then shows them. Call all three functions in effects. Unmounting drops the pending
 * value; a component that is shown again follows its current value.
 */
function createDebouncedValue<Value>(
  current: Value,
  show: (update: () => Value) => void,
  wait: number,
  timing: DebounceTiming,
  clock: Timers | undefined,
) {
  let lastValue: Value
  let isShown: boolean
  let set: (next: Value) => void
  const debounced = createDebounced((next: Value) => set(next), wait, timing, clock)
  const attach = createAttach(debounced)

  return [
    attach,
    (value: Value, equals: Equals<Value>, commit: Commit) => {
      set = (next) => {
        // The value went back to the shown one: keep the same object.
        if (equals(next, current)) return
        // Set first: a transition may delay the render.
        current = next
        // The value may be a function, which React would call.
        commit(() => show(() => next))
      }
      // A value that goes back to the shown one replaces the pending one.
      if (!equals(value, debounced.isPending() ? lastValue : current)) debounced((lastValue = value))
    },
    () => {
      isShown = true
      return () => {
        isShown = false
        attach({ wait: Infinity })
        // StrictMode and Fast Refresh undo and redo every effect in the same task.
        void Promise.resolve().then(() => isShown || debounced.cancel())
      }
    },
  ] as const
}

/**
 * Returns `value` after it has not changed for `wait` ms; until then, the value before. The first value is returned at once.
 * It returns the value itself, not an array, and never a value from a render that React discarded.
 *
 * @param wait in ms, at least 0.
 * @param options see `DebounceValueOptions`.
 * @throws as `debounce` does.
 */
export function useDebounce<Value>(
  value: Value,
  wait: number,
  options: DebounceValueOptions<Value> = {},
): Value {
  adviseOnTiming('useDebounce', wait, options)
  const {
    leading = false,
    // Passed by `useThrottle` only.
    trailing = true,
    maxWait = Infinity,
    holdWhile,
    flushOn: [first, second] = [] as Triggers,
    equals = isSameValue,
    commit = commitAtOnce,
  } = options as TimedValueOptions<Value>
  const clock = useContext(ClockContext)
  const [shown, show] = useState(() => value)
  const [[attach, follow, stay]] = useState(() =>
    createDebouncedValue(value, show, wait, { leading, trailing, maxWait }, clock),
  )
  useEffect(stay, [stay])
  useEffect(
    () => attach({ wait, leading, trailing, maxWait }, holdWhile, first, second),
    [attach, wait, leading, trailing, maxWait, holdWhile, first, second],
  )
  useEffect(() => follow(value, equals, commit), [follow, value, equals, commit])
  return shown
}

/**
 * Returns `value`, updated at most once every `wait` ms: the first change at once, and the last one at most `wait` ms late.
 *
 * @param wait in ms, at least 0.
 * @param options see `ThrottleValueOptions`.
 * @throws as `throttle` does.
 */
export function useThrottle<Value>(
  value: Value,
  wait: number,
  { leading = true, ...options }: ThrottleValueOptions<Value> = {},
): Value {
  adviseOnTiming('useThrottle', wait, { leading }, options)
  return useDebounce(value, wait, { ...options, leading, maxWait: wait })
}
