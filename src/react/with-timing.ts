import type { DebounceChanges, DebounceTiming } from '../core/debounce.ts'
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
  debounced: Debounced
  setTiming: (wait: number, options: TimingOptions) => void
}

export function withTiming<Debounced extends Configurable>(debounced: Debounced): WithTiming<Debounced> {
  const { cancel, flush, configure } = debounced
  let last: [wait: number, options: TimingOptions]
  let watched: Condition | undefined
  let unwatch: (() => void) | undefined

  function hold(): void {
    const { leading, trailing = true } = last[1]
    configure({ wait: Infinity, maxWait: Infinity, leading: false, trailing: leading || trailing })
  }

  function apply(): void {
    const [wait, { leading, trailing, maxWait, holdWhile }] = last
    if (holdWhile?.isOn()) hold()
    else configure({ wait, maxWait, leading, trailing })
  }

  function watch(condition: Condition | undefined): void {
    // Not anew for another wait: a condition may forget what nobody listens to.
    if (condition === watched) return
    unwatch?.()
    watched = condition
    unwatch = condition?.subscribe(apply)
  }

  return {
    debounced,
    cancel,
    flush,
    suspend() {
      watch(undefined)
      hold()
    },
    setTiming(...next) {
      last = next
      watch(next[1].holdWhile)
      apply()
    },
    [Symbol.dispose]() {
      watch(undefined)
      debounced[Symbol.dispose]()
    },
  }
}
