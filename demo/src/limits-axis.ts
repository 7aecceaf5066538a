import type { Strip } from './limits-strip.ts'
import { PAST_MS } from './limits-trace.ts'

const TICK_MS = 2000

/** What is written under all strips. */
export function paintAxis({ canvas, colors, now, height, x }: Strip): void {
  canvas.fillStyle = colors.soft
  for (let ago = 0; ago <= PAST_MS; ago += TICK_MS) {
    canvas.textAlign = 'center'
    canvas.fillText(ago === 0 ? 'now' : `−${ago / 1000} s`, x(now - ago), height / 2)
  }
}
