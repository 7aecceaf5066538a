import type { Interval } from './timeline-model.ts'
import { lanes } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

const HATCH_DISTANCE = 9

/** Paints the background: every other lane shaded, and all lanes hatched while the gate is closed. */
export function paintGround(scene: Scene): void {
  const { canvas, model, plot, scale, colors } = scene
  canvas.beginPath()
  canvas.rect(plot.left, plot.top, plot.width, plot.height)
  canvas.clip()
  canvas.fillStyle = colors.lane
  for (const { top, height } of [lanes.keystroke, lanes.throttled, lanes.gate]) {
    canvas.fillRect(plot.left, scale.y(top), plot.width, scale.y(top + height) - scale.y(top))
  }
  for (const interval of model.closed) {
    if (scale.x(interval.to) > plot.left) hatch(scene, interval)
  }
}

function hatch({ canvas, plot: { top, height }, scale, colors }: Scene, { from, to }: Interval): void {
  const left = scale.x(from)
  const right = scale.x(to)
  canvas.save()
  canvas.beginPath()
  canvas.rect(left, top, right - left, height)
  canvas.clip()
  canvas.fillStyle = canvas.strokeStyle = colors.closed
  canvas.globalAlpha = 0.1
  canvas.fillRect(left, top, right - left, height)
  canvas.globalAlpha = 0.35
  canvas.lineWidth = 1
  canvas.beginPath()
  for (let x = left - height; x < right; x += HATCH_DISTANCE) {
    canvas.moveTo(x, top + height)
    canvas.lineTo(x + height, top)
  }
  canvas.stroke()
  canvas.restore()
}
