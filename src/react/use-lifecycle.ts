import { useContext, useEffect, useInsertionEffect, useLayoutEffect, useState } from 'react'
import type { Clock } from '../core/time/clock.ts'
import type { DebounceChanges, DebounceTiming } from '../core/debounce/debounce.ts'
import { createAttach, type Attached, type Condition, type Trigger, type Triggers } from './attach.ts'
import { ClockContext } from './clock-context.ts'

export interface TimingOptions extends DebounceTiming {
  /**
   * While this is on, nothing runs, and the last call is kept. It is then due `wait` ms after it was made, or at once if
   * those have passed. `composing` is such a condition; `createCondition` makes others. @default none
   */
  holdWhile?: Condition | undefined
}

export interface LeavingOptions {
  /** What becomes of a pending run when the component is unmounted or hidden. @default 'cancel' */
  onUnmount?: 'cancel' | 'flush' | undefined
  /**
   * Makes a pending run when one of these happens, two at most: `[pageHidden, pageHide]` saves what a user typed, once.
   * @default []
   */
  flushOn?: Triggers | undefined
}

interface Held extends Attached {
  cancel: () => void
}

/** What a component keeps back, from its first render to its end. */
export interface Lifecycle<Kept> {
  held: Kept
  /** A layout effect: makes this the timing, and attaches what is there. */
  enter: (timing: DebounceChanges, ...attachments: (Condition | Trigger | undefined)[]) => () => void
}

/** An effect in the commit itself. On a server, where React 18 warns of layout effects, one that never runs. */
export const useCommitEffect: typeof useLayoutEffect =
  typeof window === 'undefined' ? useEffect : useLayoutEffect

/**
 * Keeps what `make` makes until the component goes, and gives it the `value` of the last commit. The caller has a layout
 * effect that is `enter`.
 *
 * Which effects end and begin tells what becomes of the component:
 * - removed: insertion and layout effects end, in the commit, and passive ones later, when a timer may have come
 * - hidden by Activity: layout effects end in the commit, passive ones later; shown again they begin in that order
 * - behind the fallback of Suspense: layout effects only
 * - mounted in StrictMode: layout and passive effects end, and begin again in the same task
 * - of another version of its code (Fast Refresh): all effects of a kind end and begin before those of the next kind
 * - hidden from the start: insertion effects only
 */
export function useLifecycle<Value, Kept extends Held>(
  value: Value,
  make: (latest: () => Value, clock: Clock | undefined) => Kept,
  onUnmount: 'cancel' | 'flush' = 'cancel',
): Lifecycle<Kept> {
  const clock = useContext(ClockContext)
  const [life] = useState(() => createLifecycle<Value, Kept>(value, (latest) => make(latest, clock)))
  // Before any layout effect of the same commit, for one may already call.
  useInsertionEffect(() => life.commit(value, onUnmount))
  useEffect(() => life.leave, [life])
  return life
}

function createLifecycle<Value, Kept extends Held>(
  value: Value,
  make: (latest: () => Value) => Kept,
): Lifecycle<Kept> & {
  commit: (value: Value, onUnmount: 'cancel' | 'flush') => () => void
  leave: () => void
} {
  const held = make(() => value)
  const attach = createAttach(held)
  let end: 'cancel' | 'flush'
  let isEntered = false
  let isRemoved = false
  /** Suspended, and not entered since. */
  let isLeft = false
  /** Committed since: it was hidden, and not remounted by StrictMode. */
  let isOver = false

  function leave(): void {
    if (isEntered) return
    isLeft = true
    // Runs nothing, and ignores calls.
    attach({ wait: Infinity, leading: false, trailing: false })
    if (isRemoved || end === 'flush') held[end]()
    else void Promise.resolve().then(() => isEntered || held.cancel())
  }

  return {
    held,
    commit(next, onUnmount) {
      value = next
      end = onUnmount
      isRemoved = false
      isOver = isLeft
      return () => {
        isRemoved = true
        if (!isEntered) void Promise.resolve().then(() => isRemoved && leave())
      }
    },
    enter(...all) {
      if (isOver) held.cancel()
      attach(...all)
      isEntered = true
      isLeft = isOver = false
      return () => {
        isEntered = false
        if (isRemoved) leave()
      }
    },
    leave,
  }
}
