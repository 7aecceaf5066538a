import { clipped, type Strip } from './strip.ts'
import { tickColumns } from './tick-columns.ts'

/** The height of a mark that stands for one, as a share of the highest. */
const ONE = 0.55
const MARGIN = 3
/** How wide a mark is that has room. */
const WIDTH = 2.5

/** How long a pixel of `strip` is, in ms. */
const pixelMs = ({ from, to, left, right }: Strip): number => (to - from) / Math.max(right - left, 1)

/** The most instants that one mark stands for. */
export const densest = (strip: Strip, instants: readonly number[]): number =>
  tickColumns(instants, { ...strip, columnMs: pixelMs(strip) }).reduce(
    (most, { count }) => Math.max(most, count),
    0,
  )

/** The line that the marks of a lane stand on. */
export function paintBase({ canvas, colors, left, right, height }: Strip): void {
  canvas.fillStyle = colors.line
  canvas.fillRect(left, height - 1, right - left, 1)
}

/** The marks of `instants` on their line. */
export function paintLane(strip: Strip, instants: readonly number[], color: string): void {
  paintBase(strip)
  paintTicks(strip, instants, color)
}

/** A mark in each pixel that has an instant, up to the one of `until`: the higher, the more it has. */
export function paintTicks(strip: Strip, instants: readonly number[], color: string, until = strip.to): void {
  const { canvas, from, height, x } = strip
  const columnMs = pixelMs(strip)
  const columns = tickColumns(instants, { from, to: until, columnMs })
  const most = columns.reduce((most, { count }) => Math.max(most, count), 1)
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
