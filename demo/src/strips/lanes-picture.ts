import type { DemoTime } from '../time/demo-time.ts'
import type { Colors } from './colors.ts'
import type { Picture } from './draw-strips.ts'
import type { LaneLog } from './lane-log.ts'
import { paintAgo } from './paint-axis.ts'
import { paintLane } from './paint-ticks.ts'
import type { Strip } from './strip.ts'

/** The visible time span, in ms. */
const PAST_MS = 6000

/** The last `PAST_MS` of `log`: a row for each lane, in the order of `colors`, and the axis. */
export function lanesPicture<Lane extends string>(
  log: LaneLog<Lane>,
  colors: readonly (readonly [lane: Lane, color: keyof Colors])[],
  { clock }: DemoTime,
): Picture {
  return {
    view() {
      const now = clock.now()
      return { from: now - PAST_MS, to: now, now }
    },
    painters: () => [
      ...colors.map(
        ([lane, color]) =>
          (strip: Strip) =>
            paintLane(strip, log.instants(lane), strip.colors[color]),
      ),
      paintAgo,
    ],
    isMoving: () => log.lastAt() > clock.now() - PAST_MS,
    subscribe: log.subscribe,
  }
}
