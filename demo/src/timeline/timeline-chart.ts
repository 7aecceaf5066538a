import uPlot from 'uplot'
import { systemClock } from 'lull/core'
import { createRedraw } from '../strips/create-redraw.ts'
import type { EventLog } from '../status/event-log.ts'
import { readColors } from '../strips/colors.ts'
import { paintGround } from './timeline-ground.ts'
import { paintMarks } from './timeline-marks.ts'
import { lastMoment, readTimeline, type TimelineModel } from './timeline-model.ts'
import { timelineOptions } from './timeline-options.ts'
import { readPoint } from './timeline-readout.ts'
import { createScale, FUTURE_MS, LANE_UNITS, PAST_MS } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

const nothing: uPlot.AlignedData = [
  [-PAST_MS / 1000, FUTURE_MS / 1000],
  [null, null],
]

/**
 * Draws `log` into `element`, and redraws it while anything moves. Returns a function that stops.
 *
 * @param onRead called with a description of the mark at the pointer, or undefined.
 */
export function drawTimeline(
  element: HTMLElement,
  log: EventLog,
  onRead: (words: string | undefined) => void,
): () => void {
  const font = getComputedStyle(element).fontFamily
  let colors = readColors(element)
  let entries = log.entries()
  let model = readTimeline(entries)
  let now = systemClock.now()

  function currentModel(): TimelineModel {
    if (entries !== log.entries()) model = readTimeline((entries = log.entries()))
    return model
  }

  function paint({ ctx: canvas, width, bbox }: uPlot, painter: (scene: Scene) => void): void {
    // uPlot uses canvas pixels.
    const ratio = canvas.canvas.width / width
    const plot = {
      left: bbox.left / ratio,
      top: bbox.top / ratio,
      width: bbox.width / ratio,
      height: bbox.height / ratio,
    }
    canvas.save()
    canvas.scale(ratio, ratio)
    painter({ canvas, model: currentModel(), now, plot, scale: createScale(plot, now), colors, font })
    canvas.restore()
  }

  function readCursor({ cursor: { left = -1, top = -1 }, over }: uPlot): void {
    if (left < 0) return onRead(undefined)
    const msPerPixel = (PAST_MS + FUTURE_MS) / over.clientWidth
    const at = now - PAST_MS + left * msPerPixel
    const units = (top / over.clientHeight) * LANE_UNITS
    onRead(readPoint({ model: currentModel(), now, at, units, toleranceMs: 5 * msPerPixel }))
  }

  const size = () => ({ width: element.clientWidth, height: element.clientHeight })
  const options = timelineOptions({
    ...size(),
    font,
    colors: () => colors,
    hooks: {
      drawClear: [(chart) => paint(chart, paintGround)],
      draw: [(chart) => paint(chart, paintMarks), readCursor],
      setCursor: [readCursor],
    },
  })
  const chart = new uPlot(options, nothing, element)

  const redraw = createRedraw(() => {
    now = systemClock.now()
    chart.redraw(false, false)
    return lastMoment(currentModel(), now) > now - PAST_MS
  })

  const controller = new AbortController()
  const recolor = () => {
    colors = readColors(element)
    redraw()
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor, controller)
  const observer = new ResizeObserver(() => chart.setSize(size()))
  observer.observe(element)
  const unsubscribe = log.subscribe(redraw)

  return () => {
    unsubscribe()
    observer.disconnect()
    controller.abort()
    redraw[Symbol.dispose]()
    chart.destroy()
  }
}
