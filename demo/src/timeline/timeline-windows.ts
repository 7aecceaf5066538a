import type { Interval, TimelineModel } from './timeline-model.ts'
import { lanes } from './timeline-scale.ts'
import type { Scene } from './timeline-scene.ts'

interface WindowStep extends Interval {
  window: number
}

/** From a window of 1 to one of 64, each twice as wide as the one before. */
const STEPS = 7
/** Above each, in pixels, for how wide it is. */
const LABEL_HEIGHT = 12

/** When how many might be in flight; what is without bound, and what a closed gate makes idle, is left out. */
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

/** A stair: as high as how often the window has doubled. */
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
