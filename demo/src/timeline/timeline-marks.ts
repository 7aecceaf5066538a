import { drivers } from '../settings/schema.ts'
import type { Interval } from './timeline-model.ts'
import { paintRequests } from './timeline-requests.ts'
import { tickColumns } from '../strips/tick-columns.ts'
import { FUTURE_MS, lanes, PAST_MS } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'
import { paintWindows } from './timeline-windows.ts'

/** Paints the events in their lanes, and a line at now. */
export function paintMarks(scene: Scene): void {
  const { canvas, model, plot, now, scale, colors, font } = scene
  canvas.beginPath()
  canvas.rect(plot.left, plot.top, plot.width, plot.height)
  canvas.clip()
  canvas.font = `10.5px ${font}`
  canvas.textBaseline = 'middle'
  canvas.textAlign = 'left'
  // At most one mark per pixel.
  const columns = { from: now - PAST_MS, to: now, columnMs: (PAST_MS + FUTURE_MS) / plot.width }
  for (const run of drivers) {
    canvas.fillStyle = colors[run]
    const width = run === 'keystroke' ? 2 : 4
    for (const { at } of tickColumns(model.ticks[run], columns)) paintTick(scene, lanes[run].top, at, width)
  }
  paintRequests(scene)
  model.closed.forEach((interval, index) => {
    paintClosed(scene, interval, scale.x(model.closed[index + 1]?.from ?? Infinity))
  })
  paintWindows(scene)
  canvas.fillStyle = colors.accent
  canvas.fillRect(Math.round(scale.x(now)), plot.top, 1, plot.height)
}

function paintTick({ canvas, scale }: Scene, top: number, at: number, width: number): void {
  const height = scale.y(0.6) - scale.y(0)
  canvas.beginPath()
  canvas.roundRect(scale.x(at) - width / 2, scale.y(top + 0.2), width, height, width / 2)
  canvas.fill()
}

/** @param next the x position at which the next pause starts. */
function paintClosed({ canvas, scale, plot, colors }: Scene, { from, to }: Interval, next: number): void {
  const { top, height } = lanes.gate
  const middle = scale.y(top + height / 2)
  canvas.fillStyle = colors.closed
  canvas.beginPath()
  canvas.roundRect(scale.x(from), middle - 3, scale.x(to) - scale.x(from), 6, 3)
  canvas.fill()
  const label = `${((to - from) / 1000).toFixed(1)} s`
  const { width } = canvas.measureText(label)
  const most = plot.left + plot.width - width - 4
  const left = Math.min(scale.x(to) + 4, most)
  if (left + width >= next) return
  // With a background where it covers the bar.
  if (left === most) {
    canvas.fillStyle = colors.card
    canvas.fillRect(left - 3, middle - 7, width + 7, 14)
    canvas.fillStyle = colors.closed
  }
  canvas.fillText(label, left, middle)
}
