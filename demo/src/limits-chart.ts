import { createRedraw } from './create-redraw.ts'
import { paintAxis } from './limits-axis.ts'
import { paintTrace } from './limits-level.ts'
import { paintInput } from './limits-marks.ts'
import type { Comparison } from './limits-model.ts'
import { createStrip, type Strip } from './limits-strip.ts'
import { readColors } from './timeline-colors.ts'

/**
 * Draws `comparison` into the canvases within `element`: the input, a row for each limit, the axis. Goes on for as long as
 * anything moves and can be seen. The function returned ends that.
 */
export function drawLimits(element: HTMLElement, comparison: Comparison): () => void {
  const canvases = [...element.querySelectorAll('canvas')]
  let colors = readColors(element)
  let isInView = false

  function draw(): boolean {
    if (!isInView) return false
    const now = comparison.advance()
    const { sent, traces } = comparison.trial()
    const painters: ((strip: Strip) => void)[] = [
      (strip) => paintInput(strip, sent),
      ...traces.map((trace) => (strip: Strip) => paintTrace(strip, trace)),
      paintAxis,
    ]
    painters.forEach((paint, index) => paint(createStrip(canvases[index]!, colors, now)))
    return comparison.isMoving()
  }

  const redraw = createRedraw(draw)
  const recolor = () => {
    colors = readColors(element)
    redraw()
  }
  const life = new AbortController()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor, life)
  const sizes = new ResizeObserver(redraw)
  sizes.observe(element)
  const view = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)!.isIntersecting
    redraw()
  })
  view.observe(element)
  const unsubscribe = comparison.subscribe(redraw)

  return () => {
    unsubscribe()
    view.disconnect()
    sizes.disconnect()
    life.abort()
    redraw[Symbol.dispose]()
  }
}
