import { clipped, type Strip } from './strip.ts'
import { tickColumns } from './tick-columns.ts'

/** The height of a mark for one instant, as a share of the tallest mark. */
const ONE = 0.55
const MARGIN = 3
/** The width of a mark, in px. */
const WIDTH = 2.5

/** The duration of a pixel of `strip`, in ms. */
const pixelMs = ({ from, to, left, right }: Strip): number => (to - from) / Math.max(right - left, 1)

/** The maximum number of instants in one mark. */
export const densest = (strip: Strip, instants: readonly number[]): number =>
  tickColumns(instants, { ...strip, columnMs: pixelMs(strip) }).reduce(
    (most, { count }) => Math.max(most, count),
    0,
  )

/** Paints the base line of a lane. */
export function paintBase({ canvas, colors, left, right, height }: Strip): void {
  canvas.fillStyle = colors.line
  canvas.fillRect(left, height - 1, right - left, 1)
}

/** Paints the base line and a mark for each of `instants`. */
export function paintLane(strip: Strip, instants: readonly number[], color: string): void {
  paintBase(strip)
  paintTicks(strip, instants, color)
}

/** Paints a mark in each pixel that has an instant, up to `until`. More instants make a taller mark; the scale does not depend on `until`. */
export function paintTicks(strip: Strip, instants: readonly number[], color: string, until = strip.to): void {
  const { canvas, from, height, x } = strip
  const columnMs = pixelMs(strip)
  const columns = tickColumns(instants, { from, to: until, columnMs })
  const most = densest(strip, instants)
  const tall = height - 2 * MARGIN
  clipped(strip, WIDTH, () => {
    canvas.fillStyle = color
    for (const { at, count } of columns) {
      const share = most === 1 ? 1 : ONE + (1 - ONE) * (Math.log2(count) / Math.log2(most))
      const top = height - MARGIN - tall * share
      canvas.fillRect(x(at + columnMs / 2) - WIDTH / 2, top, WIDTH, tall * share)
    }
  })
}
