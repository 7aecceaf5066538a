import type { DebounceChanges, DebounceTiming } from '../core/debounce.ts'
import type { Condition } from './condition.ts'
import { useCommitEffect } from './use-commit-effect.ts'

export interface TimingOptions extends DebounceTiming {
  /**
   * While this is on, nothing runs, and the last call is kept. It is then due `wait` ms after it was made, or at once if
   * those have passed. `composing` is such a condition. Give the same object in each render. @default none
   */
  holdWhile?: Condition | undefined
}

/** Gives `held` the timing of the last commit, and so takes it up again after it was disposed of. */
export function useTiming(
  held: { configure: (changes: DebounceChanges) => void },
  wait: number,
  { leading, trailing, maxWait, holdWhile }: TimingOptions,
): void {
  useCommitEffect(() => {
    const apply = (): void =>
      held.configure(
        holdWhile?.isOn()
          ? { wait: Infinity, maxWait: Infinity, leading: false, trailing: leading || trailing }
          : { wait, maxWait, leading, trailing },
      )
    apply()
    return holdWhile?.subscribe(apply)
  }, [held, wait, leading, trailing, maxWait, holdWhile])
}
