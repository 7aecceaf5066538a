import type { Picture } from '../strips/draw-strips.ts'
import { paintAgo } from '../strips/paint-axis.ts'
import { paintTicks } from '../strips/paint-ticks.ts'
import type { Strip } from '../strips/strip.ts'
import type { DemoTime } from '../time/demo-time.ts'
import { scrollLanes, type ScrollLog } from './scroll-log.ts'

/** How much is shown, in ms. */
const PAST_MS = 6000

const colorNames = { event: 'keystroke', throttled: 'throttled', frame: 'debounced' } as const

export function scrollPicture(log: ScrollLog, { clock }: DemoTime): Picture {
  return {
    view() {
      const now = clock.now()
      return { from: now - PAST_MS, to: now, now }
    },
    painters: () => [
      ...scrollLanes.map((lane) => (strip: Strip) => {
        paintTicks(strip, log.instants(lane), strip.colors[colorNames[lane]])
      }),
      paintAgo,
    ],
    isMoving: () => log.lastAt() > clock.now() - PAST_MS,
    subscribe: log.subscribe,
  }
}
