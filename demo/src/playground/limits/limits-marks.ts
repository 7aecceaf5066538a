import { clipped, type Strip } from '../../strips/strip.ts'
import type { Decision } from './limits-trace.ts'
import { TURNS, type Mark } from '../../strips/turn.ts'

const RADIUS = 2.5
const LINE_HEIGHT = 6

/** The height of the lines on which marks take turns, with a margin, in px. */
export const TURNS_HEIGHT = TURNS * LINE_HEIGHT + 2

export function paintInput(strip: Strip, marks: readonly Mark[]): void {
  const { canvas, colors, height, x } = strip
  const top = (height - TURNS_HEIGHT) / 2
  clipped(strip, RADIUS, () => {
    canvas.fillStyle = colors.keystroke
    canvas.beginPath()
    for (const mark of marks) addDot(canvas, x(mark.at), heightOf(mark, top))
    canvas.fill()
  })
}

/** Admitted requests are dots at the remaining level, refused ones are crosses below: no need for colour. */
export function paintDecisions(
  strip: Strip,
  decisions: readonly Decision[],
  y: (level: number) => number,
): void {
  const { canvas, colors, x } = strip
  const top = y(0) + 1
  clipped(strip, RADIUS, () => {
    canvas.fillStyle = colors.ok
    canvas.beginPath()
    for (const decision of decisions)
      if (decision.isAdmitted) addDot(canvas, x(decision.at), y(decision.level))
    canvas.fill()
    canvas.strokeStyle = colors.refused
    canvas.lineWidth = 1.5
    canvas.beginPath()
    for (const decision of decisions)
      if (!decision.isAdmitted) addCross(canvas, x(decision.at), heightOf(decision, top))
    canvas.stroke()
  })
}

const heightOf = ({ turn }: Mark, top: number) => top + (turn + 0.5) * LINE_HEIGHT + 1

function addDot(canvas: CanvasRenderingContext2D, x: number, y: number): void {
  canvas.moveTo(x + RADIUS, y)
  canvas.arc(x, y, RADIUS, 0, 2 * Math.PI)
}

function addCross(canvas: CanvasRenderingContext2D, x: number, y: number): void {
  canvas.moveTo(x - RADIUS, y - RADIUS)
  canvas.lineTo(x + RADIUS, y + RADIUS)
  canvas.moveTo(x - RADIUS, y + RADIUS)
  canvas.lineTo(x + RADIUS, y - RADIUS)
}
