import type { Interval, TimelineModel } from './timeline-model.ts'
import { lanes } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

interface WindowStep extends Interval {
  window: number
}

/** The number of window sizes from 1 to 64, each twice the one before. */
const STEPS = 7
/** The space for the label above each step, in px. */
const LABEL_HEIGHT = 12

/** The intervals of each window size. Leaves out unlimited windows, and the time while the gate is closed. */
export function windowSteps({ windows, closed }: TimelineModel, now: number): WindowStep[] {
  return windows.flatMap(({ from, window }, index) => {
    const to = windows[index + 1]?.from ?? now
    const steps: WindowStep[] = []
    if (window === Infinity) return steps
    for (const pause of closed) {
      if (pause.from > from && pause.from < to) steps.push({ from, to: pause.from, window })
      if (pause.from < to) from = Math.max(from, pause.to)
    }
    if (from < to) steps.push({ from, to, window })
    return steps
  })
}

/** Paints the window as stairs: each doubling is one step up. */
export function paintWindows({ canvas, model, now, plot, scale, colors }: Scene): void {
  const { top, height } = lanes.window
  const bottom = scale.y(top + height)
  const rise = (bottom - scale.y(top) - LABEL_HEIGHT) / STEPS
  for (const { from, to, window } of windowSteps(model, now)) {
    const left = Math.max(scale.x(from), plot.left)
    const right = scale.x(to)
    if (right <= left) continue
    const level = bottom - rise * Math.min(Math.log2(window) + 1, STEPS)
    canvas.globalAlpha = 0.22
    canvas.fillStyle = colors.accent
    canvas.fillRect(left, level, right - left, bottom - level)
    canvas.globalAlpha = 1
    canvas.fillRect(left, level, right - left, 1.5)
    const label = String(window)
    if (canvas.measureText(label).width + 6 > right - left) continue
    canvas.fillText(label, left + 3, level - LABEL_HEIGHT / 2)
  }
}
