import type { Span } from './timeline-model.ts'
import { PAST_MS, rowOf } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

const HALF_HEIGHT = 6
/** So that an answer that comes at once can be seen. */
const LEAST_WIDTH = 3

/** The calls: bars in flight, dotted lines while they wait, and what became of them where there is room for it. */
export function paintRequests(scene: Scene): void {
  const { model, now, scale } = scene
  const shown = model.spans.filter(({ to = now }) => to > now - PAST_MS)
  for (const span of shown) if (span.outcome === 'waiting') paintWait(scene, span)
  // From the last to the first, so that each knows where the next one in its row begins.
  const nextInRow = new Map<number, number>()
  for (const span of shown.toReversed()) {
    if (span.outcome === 'waiting') continue
    const row = rowOf(span.call)
    paintRequest(scene, span, nextInRow.get(row) ?? Infinity)
    nextInRow.set(row, scale.x(span.from))
  }
}

function paintWait({ canvas, now, scale, colors }: Scene, { call, from, to = now }: Span): void {
  const middle = scale.y(rowOf(call))
  canvas.strokeStyle = colors.waiting
  canvas.lineWidth = 1.5
  canvas.setLineDash([2, 3])
  canvas.beginPath()
  canvas.moveTo(scale.x(from), middle)
  canvas.lineTo(scale.x(to), middle)
  canvas.stroke()
  canvas.setLineDash([])
}

function paintRequest(scene: Scene, span: Span, next: number): void {
  const { canvas, now, scale, colors } = scene
  const left = scale.x(span.from)
  const right = Math.max(scale.x(span.to ?? now), left + LEAST_WIDTH)
  const middle = scale.y(rowOf(span.call))
  canvas.fillStyle = colors[span.outcome]
  canvas.beginPath()
  canvas.roundRect(left, middle - HALF_HEIGHT, right - left, 2 * HALF_HEIGHT, 2)
  canvas.fill()
  const width = canvas.measureText(span.label).width
  if (span.label === '' || right + width + 4 > next) return
  // A ground of its own, for it may be on the hatching, or on the line of a call that waits.
  canvas.fillStyle = colors.card
  canvas.fillRect(right + 1, middle - 7, width + 4, 14)
  canvas.fillStyle = colors[span.outcome]
  canvas.fillText(span.label, right + 3, middle)
}
