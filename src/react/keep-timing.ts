import type { DebounceChanges, DebounceTiming } from '../core/debounce.ts'
import type { Condition } from './condition.ts'

export interface TimingOptions extends DebounceTiming {
  /**
   * While this is on, nothing runs, and the last call is kept. It is then due `wait` ms after it was made, or at once if
   * those have passed. `composing` is such a condition. Give the same object in each render. @default none
   */
  holdWhile?: Condition | undefined
}

/** What can be given another timing, and so be taken up again after it was disposed of. */
export interface Timed {
  configure: (changes: DebounceChanges) => void
}

/** Gives `held` this timing, and another one while `holdWhile` is on, until the function returned is called. */
export function keepTiming(
  held: Timed,
  wait: number,
  { leading, trailing = true, maxWait, holdWhile }: TimingOptions,
): (() => void) | undefined {
  const apply = (): void =>
    held.configure(
      holdWhile?.isOn()
        ? { wait: Infinity, maxWait: Infinity, leading: false, trailing: leading || trailing }
        : { wait, maxWait, leading, trailing },
    )
  apply()
  return holdWhile?.subscribe(apply)
}
