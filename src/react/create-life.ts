import { onPageLeave, type PageLeave } from './on-page-leave.ts'

export interface LeavingOptions {
  /** What becomes of a pending run when the component is unmounted or hidden. @default 'cancel' */
  onUnmount?: 'cancel' | 'flush' | undefined
  /**
   * Makes a pending run when the page is hidden (another tab, the home screen) or goes away ('pagehide'). Give both to save
   * what a user typed: whichever comes first makes the run, and the other finds none. @default []
   */
  flushOn?: readonly PageLeave[] | undefined
}

export interface Leavable {
  cancel: () => void
  flush: () => unknown
  /** Runs nothing, and keeps what is pending, until it is configured. */
  suspend: () => void
  /** Cancels; calls are then ignored, until it is configured. */
  [Symbol.dispose]: () => void
}

interface Committed<Value> extends Required<{
  [Key in keyof LeavingOptions]: NonNullable<LeavingOptions[Key]>
}> {
  value: Value
}

/** What a component holds, from its first render to its end. Each function is an effect, or a part of one. */
export interface Life<Held> {
  held: Held
  /** An insertion effect, in each commit; what it answers ends it, at last when the component is removed. */
  commit: (committed: Committed<unknown>) => () => void
  /** In a layout effect, before it configures what is held; what this answers ends that effect. */
  enter: () => () => void
  /** A passive effect; what it answers ends it. */
  show: () => () => void
}

/**
 * Which effects begin and end tells what becomes of the component:
 * - removed: first insertion and layout effects end, in the commit, and passive ones later, when a timer may have come
 * - hidden by Activity: layout effects end in the commit, passive ones later; shown again they begin in that order
 * - behind the fallback of Suspense: layout effects only
 * - mounted in StrictMode: layout and passive effects end, and begin again, with no commit in between
 * - hidden from the start: insertion effects only
 */
export function createLife<Value, Held extends Leavable>(
  committed: Committed<Value>,
  make: (latest: () => Value) => Held,
): Life<Held> {
  const held = make(() => committed.value)
  let isRemoved = false
  let isEntered = false
  let isShown = false
  // Hidden with something pending, and not sure yet that it is for good.
  let isSuspended = false
  let isOver = false

  function end(): void {
    isSuspended = isOver = false
    try {
      held[committed.onUnmount]()
    } finally {
      held[Symbol.dispose]()
    }
  }

  function leave(): void {
    isEntered = false
    if (isRemoved) end()
  }

  return {
    held,
    commit(next) {
      committed = next as Committed<Value>
      isRemoved = false
      isOver = isSuspended
      return () => {
        isRemoved = true
        if (!isEntered && !isShown) held[Symbol.dispose]()
      }
    },
    enter() {
      if (isOver) end()
      isSuspended = false
      isEntered = true
      return leave
    },
    show() {
      isShown = true
      const stop = onPageLeave((how) => {
        if (committed.flushOn.includes(how)) held.flush()
      })
      return () => {
        isShown = false
        stop()
        if (isRemoved || committed.onUnmount === 'flush') return end()
        held.suspend()
        isSuspended = true
        void Promise.resolve().then(() => {
          if (isSuspended) end()
        })
      }
    },
  }
}
