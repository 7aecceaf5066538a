import type { Picture } from '../../strips/draw-strips.ts'
import { paintAgo } from '../../strips/paint-axis.ts'
import { paintBase, paintLane } from '../../strips/paint-ticks.ts'
import { clipped, type Strip } from '../../strips/strip.ts'
import { TURNS } from '../../strips/turn.ts'
import type { BatchRecording } from './batch-recording.ts'
import { PAST_MS, type SentCall } from './batch-trial.ts'

const MARK_WIDTH = 20
const GAP = 2

/** The items, the calls with their item counts, the results, and the axis. */
export const batchPicture = (recording: BatchRecording): Picture => ({
  view() {
    const now = recording.now()
    return { from: now - PAST_MS, to: now, now }
  },
  painters() {
    const { items, calls, results } = recording.trial()
    return [
      (strip) =>
        paintLane(
          strip,
          items.map(({ at }) => at),
          strip.colors.keystroke,
        ),
      (strip) => paintCalls(strip, calls),
      (strip) => paintLane(strip, results, strip.colors.ok),
      paintAgo,
    ]
  },
  isMoving: recording.isMoving,
  subscribe: recording.subscribe,
})

/** A pending call is an outline, a finished one is filled: readable without colour. */
function paintCalls(strip: Strip, calls: readonly SentCall[]): void {
  paintBase(strip)
  const { canvas, colors, height, x } = strip
  const lineHeight = height / TURNS
  clipped(strip, MARK_WIDTH, () => {
    canvas.textAlign = 'center'
    canvas.lineWidth = 1.5
    for (const { at, size, turn, isDone } of calls) {
      const top = turn * lineHeight + GAP / 2
      canvas.beginPath()
      canvas.roundRect(x(at) - MARK_WIDTH / 2, top, MARK_WIDTH, lineHeight - GAP, 4)
      canvas.fillStyle = isDone ? colors.debounced : colors.card
      canvas.fill()
      canvas.strokeStyle = colors.debounced
      canvas.stroke()
      canvas.fillStyle = isDone ? colors.card : colors.debounced
      canvas.fillText(String(size), x(at), top + (lineHeight - GAP) / 2 + 0.5)
    }
  })
}
