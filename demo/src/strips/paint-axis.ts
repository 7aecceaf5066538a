import type { Strip } from './strip.ts'

/** The minimum distance between labels, in px. */
const SPACE = 48
const STEPS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300]

/** The interval between labels, in ms. */
function stepMs({ from, to, left, right }: Strip): number {
  const most = Math.max(Math.floor((right - left) / SPACE), 1)
  return 1000 * (STEPS_S.find((step) => (to - from) / 1000 / step <= most) ?? 600)
}

/** Paints an axis of seconds before now, for a picture that ends now. */
export function paintAgo(strip: Strip): void {
  const { canvas, colors, from, to, height, x } = strip
  const step = stepMs(strip)
  canvas.fillStyle = colors.soft
  canvas.textAlign = 'center'
  for (let ago = 0; ago <= to - from; ago += step)
    canvas.fillText(ago === 0 ? 'now' : `−${ago / 1000} s`, x(to - ago), height / 2)
}

/** Paints an axis of seconds since the start, for a recording. */
export function paintSeconds(strip: Strip): void {
  const { canvas, colors, from, to, height, x } = strip
  const step = stepMs(strip)
  canvas.fillStyle = colors.soft
  canvas.textAlign = 'center'
  for (let at = Math.ceil(from / step) * step; at <= to; at += step)
    canvas.fillText(`${at / 1000} s`, x(at), height / 2)
}
