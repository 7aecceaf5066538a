import { useContext, useEffect, useState } from 'react'
import { debounce, type DebounceChanges, type DebounceOptions } from '../core/debounce/debounce.ts'
import { createAttach, type Condition, type Trigger, type Triggers } from './attach.ts'
import { ClockContext } from './clock-context.ts'
import type { LeavingOptions, TimingOptions } from './use-lifecycle.ts'

/** Whether two values count as the same one. */
export type Equals<Value> = (a: Value, b: Value) => boolean

/** How a value is set: `startTransition` of React lets what is shown stay while a slow or suspended view of the new one is made. */
export type Commit = (set: () => void) => void

export interface ValueOptions<Value> {
  /** Whether two values count as the same one. @default by Object.is; arrays and plain objects by their members */
  equals?: Equals<Value> | undefined
  /** How a new value is set, for instance React's `startTransition`. @default at once */
  commit?: Commit | undefined
}

export interface TimedValueOptions<Value>
  extends ValueOptions<Value>, TimingOptions, Pick<LeavingOptions, 'flushOn'> {}

export const commitAtOnce: Commit = (set) => set()

type Literal = Record<string, unknown>

const isLiteral = (value: unknown): value is Literal =>
  [Array, Object].includes((value as Partial<Literal> | null | undefined)?.constructor as never)

/**
 * Whether two values are the same one, or two arrays or plain objects with the same members: a literal that is made anew in each
 * render is the same value as before.
 */
export const isSameValue: Equals<unknown> = (a, b) =>
  Object.is(a, b) ||
  (isLiteral(a) &&
    a.constructor === (b as Literal | undefined)?.constructor &&
    Object.keys({ ...a, ...(b as Literal) }).every(
      (key) => key in a && key in (b as Literal) && Object.is(a[key], (b as Literal)[key]),
    ))

/** Shows the values given to `follow` once they rest. The functions are effects, and `leave` ends one. */
function createFollower<Value>(
  current: Value,
  show: (update: () => Value) => void,
  wait: number,
  options: DebounceOptions,
): {
  attach: (timing: DebounceChanges, ...attachments: (Condition | Trigger | undefined)[]) => void
  follow: (value: Value, equals: Equals<Value>, commit: Commit) => void
  stay: () => () => void
} {
  let equals: Equals<Value>
  let commit: Commit
  let asked: Value
  let isShown: boolean
  const debounced = debounce(
    (next: Value) => {
      // Back where it was: what is shown stays the same object.
      if (equals(next, current)) return
      // Before React shows it, which a transition may put off.
      current = next
      // A function is a value too: React would call it.
      commit(() => show(() => next))
    },
    wait,
    options,
  )

  const attach = createAttach(debounced)

  return {
    attach,
    follow(value, nextEquals, nextCommit) {
      equals = nextEquals
      commit = nextCommit
      // A value that is back to what is shown replaces the one that is pending.
      if (!equals(value, debounced.isPending() ? asked : current)) debounced((asked = value))
    },
    stay() {
      isShown = true
      return () => {
        isShown = false
        attach({ wait: Infinity })
        // StrictMode and Fast Refresh take every effect back and make it again in the same task.
        void Promise.resolve().then(() => isShown || debounced.cancel())
      }
    },
  }
}

/**
 * Returns the value to show in place of `value`: that of the first render, then each that is committed, once it rests.
 * What is pending is dropped with the component, and follows anew if that is shown again.
 */
export function useDebouncedValue<Value>(
  value: Value,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    holdWhile,
    flushOn: [first, second] = [] as Triggers,
    equals = isSameValue,
    commit = commitAtOnce,
  }: TimedValueOptions<Value> = {},
): Value {
  const clock = useContext(ClockContext)
  const [shown, show] = useState(() => value)
  const [follower] = useState(() => createFollower(value, show, wait, { leading, trailing, maxWait, clock }))
  useEffect(() => follower.stay(), [follower])
  useEffect(
    () => follower.attach({ wait, leading, trailing, maxWait }, holdWhile, first, second),
    [follower, wait, leading, trailing, maxWait, holdWhile, first, second],
  )
  useEffect(() => follower.follow(value, equals, commit), [follower, value, equals, commit])
  return shown
}
