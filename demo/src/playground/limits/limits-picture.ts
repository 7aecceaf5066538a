import type { Picture } from '../../strips/draw-strips.ts'
import { paintAgo } from '../../strips/paint-axis.ts'
import type { Strip } from '../../strips/strip.ts'
import { paintTrace } from './limits-level.ts'
import { paintInput } from './limits-marks.ts'
import type { Comparison } from './limits-model.ts'
import { PAST_MS } from './limits-trace.ts'

/** The input, a row for each limit, and the axis. */
export const limitsPicture = (comparison: Comparison): Picture => ({
  view() {
    const now = comparison.advance()
    return { from: now - PAST_MS, to: now, now }
  },
  painters() {
    const { sent, traces } = comparison.trial()
    return [
      (strip: Strip) => paintInput(strip, sent),
      ...traces.map((trace) => (strip: Strip) => paintTrace(strip, trace)),
      paintAgo,
    ]
  },
  isMoving: comparison.isMoving,
  subscribe: comparison.subscribe,
})
