import { createContext, useContext, useEffect, useInsertionEffect, useLayoutEffect, useState } from 'react'
import type { Clock } from '../core/time/clock.ts'
import type { DebounceChanges, DebounceTiming } from '../core/debounce/debounce.ts'
import { createAttach, type Attach, type Attached, type Condition, type Triggers } from './attachments.ts'

/** The clock of the hooks. Undefined means the system's; most hooks then bundle only the parts of it that they use. */
export const ClockContext: React.Context<Clock | undefined> = /* @__PURE__ */ createContext<
  Clock | undefined
>(undefined)

export interface LeavingOptions {
  /** What happens to a pending run when the component is unmounted or hidden. @default 'cancel' */
  onUnmount?: 'cancel' | 'flush' | undefined
  /** Runs a pending call when one of at most two triggers fires: `[pageHidden, pageHide]` saves what a user typed. @default [] */
  flushOn?: Triggers | undefined
}

export interface TimingOptions extends DebounceTiming {
  /**
   * While this is on, nothing runs and the last call stays pending. When it ends, that call is due `wait` ms after it was made,
   * or at once if that time has passed. `composing` is a condition; `createCondition` makes others. @default none
   */
  holdWhile?: Condition | undefined
}

/** A layout effect. On a server it is a passive one, which never runs either, because React 18 warns of layout effects there. */
export const useCommitEffect: typeof useLayoutEffect =
  typeof window === 'undefined' ? useEffect : useLayoutEffect

export interface Cancellable extends Attached {
  cancel: () => void
}

/**
 * Returns the object that `make` returned in the first render. `latest` returns the `value` of the last commit; the `timing` and
 * options of the last commit apply, too.
 *
 * The effects that end and begin show what happens to the component:
 * - removed: insertion and layout effects end in the commit, passive ones later; a timer may fire in between
 * - hidden by Activity: layout effects end in the commit, passive ones later; shown again they begin in that order
 * - behind the fallback of Suspense: layout effects only
 * - mounted in StrictMode: layout and passive effects end, and begin again in the same task
 * - replaced by an edited version (Fast Refresh): all effects of a kind end and begin before those of the next kind
 * - hidden from the start: insertion effects only
 */
export function useLifecycle<Value, Made extends Cancellable>(
  value: Value,
  make: (latest: () => Value, clock: Clock | undefined) => Made,
  timing: DebounceChanges,
  {
    holdWhile,
    onUnmount = 'cancel',
    flushOn: [first, second] = [] as Triggers,
  }: LeavingOptions & TimingOptions,
): Made {
  const clock = useContext(ClockContext)
  const [[made, commit, enter, leave]] = useState(() => createLifecycle(value, make, clock))
  // Runs before all layout effects of the commit, as one may call the hook.
  useInsertionEffect(() => commit(value))
  useCommitEffect(
    () => enter(onUnmount, timing, holdWhile, first, second),
    [enter, onUnmount, ...(Object.values(timing) as unknown[]), holdWhile, first, second],
  )
  useEffect(() => leave, [leave])
  return made
}

/** Makes the object and returns it with an insertion effect, a layout effect, and the passive cleanup. */
function createLifecycle<Value, Made extends Cancellable>(
  value: Value,
  make: (latest: () => Value, clock: Clock | undefined) => Made,
  clock: Clock | undefined,
) {
  const made = make(() => value, clock)
  const attach = createAttach(made)
  /** The last `onUnmount` while the component was shown; undefined before. */
  let end: 'cancel' | 'flush' | undefined
  let isRemoved = false
  /**
   * 0 while the component is shown, -1 without its layout effects. Above 0 before the first enter and after a leave: if it stays so,
   * pending runs end. 2 if a commit has come after a leave: the component was hidden, not remounted by StrictMode.
   */
  let left = 1

  function leave(next = 1): void {
    if (!left) return
    if (end) {
      left = next
      // Runs nothing, and ignores calls.
      attach({ wait: Infinity, leading: false, trailing: false })
    }
    if (isRemoved || end === 'flush') made[end!]()
    // Unless it enters again in the same task, as in StrictMode and with Fast Refresh, or as it is shown in this commit.
    else void Promise.resolve().then(() => left > 0 && made.cancel())
  }

  return [
    made,
    (next: Value) => {
      value = next
      isRemoved = false
      return () => {
        // Ends nothing in this commit: in an insertion effect React reports an update as an error.
        if (left > 0) leave(2)
        // In Preact both are layout effects: then this cleanup runs before that of `enter` in updates too, and shows no removal.
        isRemoved = useInsertionEffect !== useCommitEffect
      }
    },
    (onUnmount: 'cancel' | 'flush', ...all: Parameters<Attach>) => {
      if (left > 1) made.cancel()
      end = onUnmount
      attach(...all)
      left = 0
      return () => {
        left--
        if (isRemoved) leave()
      }
    },
    leave,
  ] as const
}
