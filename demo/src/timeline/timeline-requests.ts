import type { Span } from './timeline-model.ts'
import { PAST_MS, rowOf } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

const HALF_HEIGHT = 6
/** So that an answer that comes at once can be seen. */
const LEAST_WIDTH = 3
/** Of the frame around the probe. */
const PROBE_DISTANCE = 3

/** The calls: bars in flight, dotted lines while they wait, and what became of them where there is room for it. */
export function paintRequests(scene: Scene): void {
  const { model, now } = scene
  const shown = model.spans.filter(({ to = now }) => to > now - PAST_MS)
  const sent = shown.filter(({ outcome }) => outcome !== 'waiting')
  for (const span of shown) if (span.outcome === 'waiting') paintWait(scene, span)
  // A refusal comes at once: what is answered later would hide it.
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

/** @param spans in the order of their beginnings. */
function paintLabels(scene: Scene, spans: readonly Span[]): void {
  for (const row of new Set(spans.map(({ call }) => rowOf(call)))) {
    const inRow = spans.filter(({ call }) => rowOf(call) === row)
    let reach = -Infinity
    inRow.forEach((span, index) => {
      const right = rightOf(scene, span)
      // Under the bar of an older one there is no room.
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
  // A ground of its own, for it may be on the hatching, or on the line of a call that waits.
  canvas.fillStyle = colors.card
  canvas.fillRect(left, middle - 7, width + 1, 14)
  canvas.fillStyle = colors[span.outcome]
  canvas.fillText(span.label, left + 2, middle)
}
