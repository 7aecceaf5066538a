import type { Span } from './timeline-model.ts'
import { PAST_MS, rowOf } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

const HALF_HEIGHT = 6
/** The minimum width of a bar, in px: immediate responses stay visible. */
const LEAST_WIDTH = 3
/** The distance of the frame around a probe, in px. */
const PROBE_DISTANCE = 3

/** Paints the calls: bars while in flight, dotted lines while waiting, and labels where they fit. */
export function paintRequests(scene: Scene): void {
  const { model, now } = scene
  const shown = model.spans.filter(({ to = now }) => to > now - PAST_MS)
  const sent = shown.filter(({ outcome }) => outcome !== 'waiting')
  for (const span of shown) if (span.outcome === 'waiting') paintWait(scene, span)
  // Refusals on top: their bars are short, and longer bars would cover them.
  for (const span of sent) if (span.outcome !== 'refused') paintBar(scene, span)
  for (const span of sent) if (span.outcome === 'refused') paintBar(scene, span)
  paintLabels(scene, sent)
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

const rightOf = ({ now, scale }: Scene, { from, to = now }: Span) =>
  Math.max(scale.x(to), scale.x(from) + LEAST_WIDTH)

function paintBar(scene: Scene, span: Span): void {
  const { canvas, scale, colors } = scene
  const left = scale.x(span.from)
  const width = rightOf(scene, span) - left
  const top = scale.y(rowOf(span.call)) - HALF_HEIGHT
  canvas.fillStyle = colors[span.outcome]
  canvas.beginPath()
  canvas.roundRect(left, top, width, 2 * HALF_HEIGHT, 2)
  canvas.fill()
  if (!span.isProbe) return
  canvas.strokeStyle = colors.closed
  canvas.lineWidth = 2
  canvas.strokeRect(
    left - PROBE_DISTANCE,
    top - PROBE_DISTANCE,
    width + 2 * PROBE_DISTANCE,
    2 * (HALF_HEIGHT + PROBE_DISTANCE),
  )
}

/** @param spans ordered by start. */
function paintLabels(scene: Scene, spans: readonly Span[]): void {
  for (const row of new Set(spans.map(({ call }) => rowOf(call)))) {
    const inRow = spans.filter(({ call }) => rowOf(call) === row)
    let reach = -Infinity
    inRow.forEach((span, index) => {
      const right = rightOf(scene, span)
      // The bar of an earlier call covers this place.
      if (right > reach) paintLabel(scene, span, inRow[index + 1])
      reach = Math.max(reach, right)
    })
  }
}

function paintLabel(scene: Scene, span: Span, next: Span | undefined): void {
  const { canvas, scale, colors } = scene
  const left = rightOf(scene, span) + (span.isProbe ? PROBE_DISTANCE + 1 : 1)
  const width = canvas.measureText(span.label).width + 3
  if (span.label === '' || (next && scale.x(next.from) < left + width)) return
  const middle = scale.y(rowOf(span.call))
  // With a background, because the label may overlap hatching or a dotted line.
  canvas.fillStyle = colors.card
  canvas.fillRect(left, middle - 7, width + 1, 14)
  canvas.fillStyle = colors[span.outcome]
  canvas.fillText(span.label, left + 2, middle)
}
