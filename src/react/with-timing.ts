import type { DebounceChanges, DebounceTiming } from '../core/debounce.ts'
import type { Condition } from './condition.ts'

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

/** `held`, with the timing that is set last, and another one while its `holdWhile` is on. */
export interface WithTiming<Held extends Configurable> extends Pick<Held, 'cancel' | 'flush'> {
  held: Held
  setTiming: (wait: number, options: TimingOptions) => void
  [Symbol.dispose]: () => void
}

export function withTiming<Held extends Configurable>(held: Held): WithTiming<Held> {
  let last: [wait: number, options: TimingOptions]
  let watched: Condition | undefined
  let unwatch: (() => void) | undefined

  function apply(): void {
    const [wait, { leading, trailing = true, maxWait, holdWhile }] = last
    held.configure(
      holdWhile?.isOn()
        ? { wait: Infinity, maxWait: Infinity, leading: false, trailing: leading || trailing }
        : { wait, maxWait, leading, trailing },
    )
  }

  function watch(condition: Condition | undefined): void {
    // Not anew for another wait: a condition may forget what nobody listens to.
    if (condition === watched) return
    unwatch?.()
    watched = condition
    unwatch = condition?.subscribe(apply)
  }

  return {
    held,
    cancel: held.cancel,
    flush: held.flush,
    setTiming(...next) {
      last = next
      watch(next[1].holdWhile)
      apply()
    },
    [Symbol.dispose]() {
      watch(undefined)
      held[Symbol.dispose]()
    },
  }
}
