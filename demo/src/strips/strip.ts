import type { Colors } from './colors.ts'

const LEFT = 22
const RIGHT = 38

/** The instants that a picture shows. */
export interface View {
  readonly from: number
  readonly to: number
  /** The instant shown as now. */
  readonly now: number
}

/** One of the stacked drawings, with time on the x axis. All lengths are in CSS pixels. */
export interface Strip extends View {
  readonly canvas: CanvasRenderingContext2D
  readonly colors: Colors
  readonly left: number
  readonly right: number
  readonly height: number
  readonly x: (at: number) => number
}

/** Clears `element` and returns a strip of its displayed size. */
export function createStrip(element: HTMLCanvasElement, colors: Colors, view: View): Strip {
  const { clientWidth, clientHeight: height } = element
  const canvas = element.getContext('2d')!
  fit(element, canvas)
  canvas.clearRect(0, 0, clientWidth, height)
  const right = clientWidth - RIGHT
  const perMs = (right - LEFT) / (view.to - view.from)
  const x = (at: number) => right - (view.to - at) * perMs
  return { canvas, colors, ...view, left: LEFT, right, height, x }
}

/** Sets the canvas resolution to its displayed size. Only after a change: it costs more than a drawing. */
function fit(element: HTMLCanvasElement, canvas: CanvasRenderingContext2D): void {
  const ratio = devicePixelRatio
  const width = Math.round(element.clientWidth * ratio)
  const height = Math.round(element.clientHeight * ratio)
  if (element.width === width && element.height === height) return
  Object.assign(element, { width, height })
  canvas.scale(ratio, ratio)
  canvas.font = `11px ${getComputedStyle(element).fontFamily}`
  canvas.textBaseline = 'middle'
}

/** Clips `draw` to the visible time span, extended by `margin` px on both sides. */
export function clipped({ canvas, left, right, height }: Strip, margin: number, draw: () => void): void {
  canvas.save()
  canvas.beginPath()
  canvas.rect(left - margin, 0, right - left + 2 * margin, height)
  canvas.clip()
  draw()
  canvas.restore()
}
