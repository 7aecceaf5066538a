import type { DebounceChanges, DebounceTiming } from '../core/debounce-types.ts'
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

export function withTiming<Debounced extends Configurable>(debounced: Debounced): WithTiming<Debounced> {
  return new Timed(debounced)
}

/** A class, for there is one in every component: closures of its own would make it four times as large. */
class Timed<Debounced extends Configurable> implements WithTiming<Debounced> {
  readonly debounced: Debounced
  #wait = 0
  #options: TimingOptions = {}
  #watched: Condition | undefined
  #unwatch: (() => void) | undefined

  constructor(debounced: Debounced) {
    this.debounced = debounced
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
    this.#watch(this.#options.holdWhile)
    this.#apply()
  }

  suspend(): void {
    this.#watch(undefined)
    this.#hold()
  }

  [Symbol.dispose](): void {
    this.#watch(undefined)
    this.debounced[Symbol.dispose]()
  }

  #apply(): void {
    const { leading, trailing, maxWait, holdWhile } = this.#options
    if (holdWhile?.isOn()) this.#hold()
    else this.debounced.configure({ wait: this.#wait, maxWait, leading, trailing })
  }

  #hold(): void {
    const { leading, trailing = true } = this.#options
    this.debounced.configure({
      wait: Infinity,
      maxWait: Infinity,
      leading: false,
      trailing: leading || trailing,
    })
  }

  #watch(condition: Condition | undefined): void {
    // Not anew for another wait: a condition may forget what nobody listens to.
    if (condition === this.#watched) return
    this.#unwatch?.()
    this.#watched = condition
    this.#unwatch = condition?.subscribe(() => this.#apply())
  }
}
