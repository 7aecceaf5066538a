import type { DemoTime } from '../time/demo-time.ts'
import { readColors } from './colors.ts'
import { createRedraw } from './create-redraw.ts'
import { createStrip, type Strip, type View } from './strip.ts'

/** What is shown in canvases above each other. */
export interface Picture {
  /** Brings it up to the present of its time, and answers what is to be shown. */
  view: () => View
  /** One for each canvas, from the top. */
  painters: () => readonly ((strip: Strip) => void)[]
  /** Whether it will look different when time has gone on. */
  isMoving: () => boolean
  subscribe: (listener: () => void) => () => void
}

/**
 * Draws `picture` into the canvases within `element`, as it is by `time`, for as long as anything moves and can be seen.
 * The function returned ends that.
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
  const life = new AbortController()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor, life)
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
    life.abort()
    redraw[Symbol.dispose]()
  }
}
