import { addPageLeaver, removePageLeaver, type PageLeave, type PageLeaver } from './page-leave.ts'
import { unlessBack } from './unless-back.ts'

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
  /** Runs nothing, and keeps what is pending, until `resume`. */
  suspend: () => void
  /** Takes it up again, as it was configured last. */
  resume: () => void
  /** Cancels; calls are then ignored, until `resume`. */
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
 * - of another version of its code (Fast Refresh): in a commit, all effects of a kind end and begin before those of the next kind
 * - hidden from the start: insertion effects only
 */
export function createLife<Value, Held extends Leavable>(
  committed: Committed<Value>,
  make: (latest: () => Value) => Held,
): Life<Held> {
  return new ComponentLife(committed, make)
}

/**
 * A class, for there is one in every component: closures of its own would make it four times as large. It has no private
 * method, for which V8 would mark each instance.
 */
class ComponentLife<Value, Held extends Leavable> implements Life<Held>, PageLeaver {
  readonly held: Held
  #committed: Committed<Value>
  #isRemoved = false
  #isEntered = false
  #isShown = false
  /** Suspended or ended, and not taken up again. */
  #isDown = false
  /** Hidden with something pending, and not sure yet that it is for good. */
  #isSuspended = false
  #isOver = false

  constructor(committed: Committed<Value>, make: (latest: () => Value) => Held) {
    this.#committed = committed
    this.held = make(() => this.#committed.value)
  }

  commit(next: Committed<unknown>): () => void {
    this.#committed = next as Committed<Value>
    this.#isRemoved = false
    this.#isOver = this.#isSuspended
    return () => {
      this.#isRemoved = true
      if (!this.#isEntered && !this.#isShown) this.held[Symbol.dispose]()
    }
  }

  enter(): () => void {
    if (this.#isOver) this.end()
    // The caller configures now what is held.
    this.#isDown = this.#isSuspended = false
    this.#isEntered = true
    return () => {
      this.#isEntered = false
      if (this.#isRemoved) this.end()
    }
  }

  show(): () => void {
    this.#isShown = true
    if (this.#isDown) {
      this.#isDown = this.#isSuspended = false
      this.held.resume()
    }
    addPageLeaver(this)
    return () => {
      this.#isShown = false
      removePageLeaver(this)
      if (this.#isRemoved || this.#committed.onUnmount === 'flush') this.end()
      else this.leave()
    }
  }

  leavePage(how: PageLeave): void {
    if (this.#committed.flushOn.includes(how)) this.held.flush()
  }

  private leave(): void {
    this.held.suspend()
    this.#isDown = this.#isSuspended = true
    unlessBack(
      () => !this.#isSuspended,
      () => this.end(),
    )
  }

  private end(): void {
    this.#isDown = true
    this.#isSuspended = this.#isOver = false
    try {
      this.held[this.#committed.onUnmount]()
    } finally {
      this.held[Symbol.dispose]()
    }
  }
}
