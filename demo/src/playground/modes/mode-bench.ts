import { createManualClock } from 'lull/testing'
import { createLanes, laneNames, type LaneName, type ModeTiming } from './mode-lanes.ts'

/** What the lanes have made of the events so far. */
export interface ModeBench {
  /** The instants at which each has run, in their order. */
  readonly runs: Readonly<Record<LaneName, readonly number[]>>
  readonly isPending: (name: LaneName) => boolean
  /** How many events it has been given. */
  readonly given: () => number
  /** Goes on to the instant `at`, which is not before the last. */
  goTo: (at: number) => void
}

/**
 * The lanes on a manual clock of their own, from 0: for the same events and timing they always come to the same.
 *
 * @param events the instants, in their order. What is added later is to be no earlier than where it has gone to.
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
  // By rounding the clock may be there already.
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
