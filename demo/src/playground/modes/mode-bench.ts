import { createManualClock } from 'lull/testing'
import { createLanes, laneNames, type LaneName, type ModeTiming } from './mode-lanes.ts'

/** The results of the lanes for the events so far. */
export interface ModeBench {
  /** The instants at which each lane has run, in order. */
  readonly runs: Readonly<Record<LaneName, readonly number[]>>
  readonly isPending: (name: LaneName) => boolean
  /** The number of events processed. */
  readonly given: () => number
  /** Advances to the instant `at`, which must not be before the last one. */
  goTo: (at: number) => void
}

/**
 * Runs the lanes on a manual clock that starts at 0: the same events and timing give the same runs.
 *
 * @param events the instants, in order. Events added later must not be before the last instant of `goTo`.
 */
export function createModeBench(events: readonly number[], timing: ModeTiming): ModeBench {
  const clock = createManualClock()
  const runs: Record<LaneName, number[]> = {
    leading: [],
    trailing: [],
    both: [],
    maxWait: [],
    throttle: [],
    frame: [],
  }
  const lanes = createLanes(clock, timing, (name) => () => runs[name].push(clock.now()))
  let given = 0
  // A rounding error may have put the clock past `at`.
  const goOn = (at: number): void => clock.advance(Math.max(at - clock.now(), 0))

  return {
    runs,
    isPending: (name) => lanes[name].isPending(),
    given: () => given,
    goTo(at) {
      while (given < events.length && events[given]! <= at) {
        goOn(events[given]!)
        for (const name of laneNames) lanes[name]()
        given++
      }
      goOn(at)
    },
  }
}
