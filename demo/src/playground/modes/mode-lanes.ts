import { debounce, throttle, throttleFrame, type Clock } from 'lull/core'

export interface ModeTiming {
  /** In ms. */
  wait: number
  maxWait: number
}

export const laneNames = ['leading', 'trailing', 'both', 'maxWait', 'throttle', 'frame'] as const
export type LaneName = (typeof laneNames)[number]

/** A function that is called at each event and may have a pending run. */
export interface Lane {
  (): void
  isPending: () => boolean
}

export function createLanes(
  clock: Clock,
  { wait, maxWait }: ModeTiming,
  run: (name: LaneName) => () => void,
): Record<LaneName, Lane> {
  return {
    leading: debounce(run('leading'), wait, { leading: true, trailing: false, clock }),
    trailing: debounce(run('trailing'), wait, { clock }),
    both: debounce(run('both'), wait, { leading: true, clock }),
    maxWait: debounce(run('maxWait'), wait, { maxWait, clock }),
    throttle: throttle(run('throttle'), wait, { clock }),
    frame: throttleFrame(run('frame'), { clock }),
  }
}
