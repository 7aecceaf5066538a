import { paintDecisions, TURNS_HEIGHT } from './limits-marks.ts'
import { clipped, type Strip } from '../../strips/strip.ts'
import { PAST_MS, type Trace } from './limits-trace.ts'

const TOP = 7

/** A limit's level from 0 to its capacity, with admitted requests on the line and refused ones below. */
export function paintTrace(strip: Strip, trace: Trace): void {
  const { canvas, colors, left, right, height } = strip
  const { row, capacity, decisions } = trace
  const floor = height - TURNS_HEIGHT
  const y = (level: number) => floor - (Math.max(level, 0) / capacity) * (floor - TOP)
  const level = row.limiter.remaining(strip.now)

  canvas.fillStyle = colors.line
  for (const edge of [TOP, floor]) canvas.fillRect(left, Math.round(edge), right - left, 1)
  clipped(strip, 0, () => {
    if (row.windowMs) paintWindows(strip, row.windowMs)
    paintLevel(strip, trace, level, y)
  })
  paintDecisions(strip, decisions, y)

  canvas.fillStyle = colors.soft
  canvas.textAlign = 'right'
  canvas.fillText(String(capacity), left - 6, TOP)
  canvas.fillText('0', left - 6, floor)
  canvas.textAlign = 'left'
  canvas.fillStyle = colors.accent
  canvas.fillText(levelWords(level), right + 6, Math.max(y(level), TOP))
}

function paintLevel(
  { canvas, colors, now, x }: Strip,
  trace: Trace,
  level: number,
  y: (level: number) => number,
): void {
  const { samples } = trace
  canvas.beginPath()
  for (const sample of samples) canvas.lineTo(x(sample.at), y(sample.level))
  canvas.lineTo(x(now), y(level))
  canvas.strokeStyle = canvas.fillStyle = colors.accent
  canvas.lineWidth = 1.5
  canvas.stroke()
  canvas.lineTo(x(now), y(0))
  canvas.lineTo(x(samples[0]!.at), y(0))
  canvas.globalAlpha = 0.12
  canvas.fill()
  canvas.globalAlpha = 1
}

function paintWindows({ canvas, colors, now, height, x }: Strip, windowMs: number): void {
  canvas.strokeStyle = colors.soft
  canvas.lineWidth = 1
  canvas.globalAlpha = 0.6
  canvas.setLineDash([2, 3])
  canvas.beginPath()
  for (let at = Math.ceil((now - PAST_MS) / windowMs) * windowMs; at <= now; at += windowMs) {
    canvas.moveTo(x(at), 0)
    canvas.lineTo(x(at), height)
  }
  canvas.stroke()
  canvas.setLineDash([])
  canvas.globalAlpha = 1
}

/**
 * Rounds down to tenths: rounded up, a level could look high enough for a refused request. The tolerance
 * shows 5.999999 as 6.
 */
function levelWords(level: number): string {
  const tenths = Math.floor(level * 10 + 1e-6) / 10
  return Number.isInteger(tenths) ? String(tenths) : tenths.toFixed(1)
}
