import type { DemoTime } from '../time/demo-time.ts'
import { readColors } from './colors.ts'
import { createRedraw } from './create-redraw.ts'
import { createStrip, type Strip, type View } from './strip.ts'

/** A picture of stacked canvases. */
export interface Picture {
  /** Advances to the current time and returns the instants to show. */
  view: () => View
  /** One for each canvas, from top to bottom. */
  painters: () => readonly ((strip: Strip) => void)[]
  /** Whether the picture changes with time. */
  isMoving: () => boolean
  subscribe: (listener: () => void) => () => void
}

/**
 * Draws `picture` into the canvases in `element`, and redraws it while it moves and is in view. Returns a
 * function that stops.
 */
export function drawStrips(element: HTMLElement, picture: Picture, time: DemoTime): () => void {
  const canvases = [...element.querySelectorAll('canvas')]
  let colors = readColors(element)
  let isInView = false

  const redraw = createRedraw(() => {
    if (!isInView) return false
    time.catchUp()
    const view = picture.view()
    picture.painters().forEach((paint, index) => paint(createStrip(canvases[index]!, colors, view)))
    return time.state().isPlaying && picture.isMoving()
  })
  const recolor = () => {
    colors = readColors(element)
    redraw()
  }
  const controller = new AbortController()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor, controller)
  const sizes = new ResizeObserver(redraw)
  sizes.observe(element)
  const inView = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)!.isIntersecting
    redraw()
  })
  inView.observe(element)
  const ends = [picture.subscribe(redraw), time.subscribe(redraw)]

  return () => {
    for (const end of ends) end()
    inView.disconnect()
    sizes.disconnect()
    controller.abort()
    redraw[Symbol.dispose]()
  }
}
