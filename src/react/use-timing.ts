import { keepTiming, type Timed, type TimingOptions } from './keep-timing.ts'
import { useCommitEffect } from './use-commit-effect.ts'

/** Gives `held` the timing of the last commit. */
export function useTiming(
  held: Timed,
  wait: number,
  { leading, trailing, maxWait, holdWhile }: TimingOptions,
): void {
  useCommitEffect(
    () => keepTiming(held, wait, { leading, trailing, maxWait, holdWhile }),
    [held, wait, leading, trailing, maxWait, holdWhile],
  )
}
