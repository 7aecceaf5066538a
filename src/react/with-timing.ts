import type { DebounceChanges, DebounceTiming } from '../core/debounce/debounce.ts'
import type { Condition } from './condition.ts'
import type { Leavable } from './create-life.ts'

export interface TimingOptions extends DebounceTiming {
  /**
   * While this is on, nothing runs, and the last call is kept. It is then due `wait` ms after it was made, or at once if
   * those have passed. `composing` is such a condition. Give the same object in each render. @default none
   */
  holdWhile?: Condition | undefined
}

/** What holds calls back, and goes on after it was disposed of once it is configured. */
interface Configurable {
  cancel: () => void
  flush: () => unknown
  configure: (changes: DebounceChanges) => void
  [Symbol.dispose]: () => void
}

/** What is debounced, with the timing that is set last, and another one while its `holdWhile` is on. */
export interface WithTiming<Debounced> extends Leavable {
  readonly debounced: Debounced
  setTiming: (wait: number, options: TimingOptions) => void
}

/** @param made the timing that it was made with: to set that does nothing. */
export function withTiming<Debounced extends Configurable>(
  debounced: Debounced,
  made?: DebounceChanges,
): WithTiming<Debounced> {
  return new Timed(debounced, made)
}

const isSame = (a: DebounceChanges, b: DebounceChanges): boolean =>
  a.wait === b.wait && a.maxWait === b.maxWait && a.leading === b.leading && a.trailing === b.trailing

/**
 * A class, for there is one in every component: closures of its own would make it four times as large. It has no private
 * method, for which V8 would mark each instance.
 */
class Timed<Debounced extends Configurable> implements WithTiming<Debounced> {
  readonly debounced: Debounced
  #wait = 0
  #options: TimingOptions = {}
  #watched: Condition | undefined
  #unwatch: (() => void) | undefined
  /** How it is configured, unless it is held or was disposed of. */
  #applied: DebounceChanges | undefined

  constructor(debounced: Debounced, made: DebounceChanges | undefined) {
    this.debounced = debounced
    this.#applied = made
  }

  cancel(): void {
    this.debounced.cancel()
  }

  flush(): void {
    this.debounced.flush()
  }

  setTiming(wait: number, options: TimingOptions): void {
    this.#wait = wait
    this.#options = options
    this.resume()
  }

  resume(): void {
    this.watch(this.#options.holdWhile)
    this.apply()
  }

  suspend(): void {
    this.watch(undefined)
    this.hold()
  }

  [Symbol.dispose](): void {
    this.watch(undefined)
    this.#applied = undefined
    this.debounced[Symbol.dispose]()
  }

  private apply(): void {
    const { leading, trailing, maxWait, holdWhile } = this.#options
    if (holdWhile?.isOn()) return this.hold()
    const next = { wait: this.#wait, maxWait, leading, trailing }
    if (this.#applied && isSame(this.#applied, next)) return
    this.#applied = next
    this.debounced.configure(next)
  }

  private hold(): void {
    const { leading, trailing = true } = this.#options
    this.#applied = undefined
    this.debounced.configure({
      wait: Infinity,
      maxWait: Infinity,
      leading: false,
      trailing: leading || trailing,
    })
  }

  private watch(condition: Condition | undefined): void {
    // Not anew for another wait: a condition may forget what nobody listens to.
    if (condition === this.#watched) return
    this.#unwatch?.()
    this.#watched = condition
    this.#unwatch = condition?.subscribe(() => this.apply())
  }
}
