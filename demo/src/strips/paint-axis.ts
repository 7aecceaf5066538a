import type { Strip } from './strip.ts'

const TICK_MS = 2000
/** A label every so many pixels at least. */
const SPACE = 56
const STEPS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600]

/** How long ago it was, for a picture that ends now. */
export function paintAgo({ canvas, colors, from, to, height, x }: Strip): void {
  canvas.fillStyle = colors.soft
  for (let ago = 0; ago <= to - from; ago += TICK_MS) {
    canvas.textAlign = 'center'
    canvas.fillText(ago === 0 ? 'now' : `−${ago / 1000} s`, x(to - ago), height / 2)
  }
}

/** The seconds since the beginning, for a picture of what is recorded. */
export function paintSeconds({ canvas, colors, from, to, left, right, height, x }: Strip): void {
  const most = Math.max(Math.floor((right - left) / SPACE), 1)
  const step = STEPS_S.find((each) => (to - from) / 1000 / each <= most) ?? 3600
  canvas.fillStyle = colors.soft
  canvas.textAlign = 'center'
  for (let second = Math.ceil(from / 1000 / step) * step; second * 1000 <= to; second += step)
    canvas.fillText(`${second} s`, x(second * 1000), height / 2)
}
