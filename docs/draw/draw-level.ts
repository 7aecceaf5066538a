import { recordLevel } from './record-level.ts'
import { rowsOf } from './rows.ts'
import type { LevelDecision, LevelDiagram, LevelPanel, LevelStep } from './level.ts'
import { axis, element, frame, round, scaleOf, text } from './svg.ts'

const HEIGHT = 90
const RADIUS = 7
const ROW = 2 * RADIUS + 2

interface Ground {
  readonly x: (at: number) => number
  readonly endMs: number
}

type Point = readonly [at: number, level: number]

/** Drops points that lie on the line between their neighbours. */
function corners(steps: readonly LevelStep[]): Point[] {
  const kept: Point[] = []
  for (const { at, before, after } of steps)
    for (const point of before === after ? [before] : [before, after]) {
      const [a, b] = kept.slice(-2)
      const isStraight =
        a && b && Math.abs((b[0] - a[0]) * (point - b[1]) - (at - b[0]) * (b[1] - a[1])) < 1e-6
      if (isStraight) kept.pop()
      kept.push([at, point])
    }
  return kept
}

function levelCurve(steps: readonly LevelStep[], { x, endMs }: Ground, y: (level: number) => number): string {
  const path = corners(steps)
    .map(([at, level]) => `${round(x(at))} ${round(y(level))}`)
    .join('L')
  const area = `M${round(x(0))} ${y(0)}L${path}L${round(x(endMs))} ${y(0)}Z`
  return `${element('path', { d: area, class: 'area' })}\n${element('path', { d: `M${path}`, class: 'level' })}`
}

function decisionMark({ at, isAllowed }: LevelDecision, { x }: Ground, y: number): string {
  const circle = { cx: x(at), cy: y, r: isAllowed ? RADIUS : RADIUS - 1 }
  if (isAllowed) return element('circle', { ...circle, class: 'run' })
  const cross = `M${round(x(at) - 4)} ${y - 4}l8 8m0-8l-8 8`
  return element('circle', { ...circle, class: 'refused' }) + element('path', { d: cross, class: 'cross' })
}

/** Draws one panel from the height `top`. Returns its elements and the height of its end. */
function drawPanel(
  panel: LevelPanel,
  diagram: LevelDiagram,
  ground: Ground,
  top: number,
): [string[], number] {
  const { name, most, unit = '', bound, windowMs } = panel
  const { x, endMs } = ground
  const { steps, decisions } = recordLevel(diagram, panel)
  const floor = top + 18 + HEIGHT
  const y = (level: number): number => floor - (level / most) * HEIGHT
  const rows = rowsOf(decisions.map(({ at }) => ({ left: x(at) - RADIUS, right: x(at) + RADIUS })))
  const bottom = floor + 14 + Math.max(0, ...rows) * ROW + RADIUS
  const parts = [
    text(16, top, 'name', name),
    element('path', { d: `M${x(0)} ${floor}H${x(endMs)}`, class: 'lane' }),
  ]
  parts.push(element('path', { d: `M${x(0)} ${floor - HEIGHT}H${x(endMs)}`, class: 'guide' }))
  parts.push(text(x(endMs), floor - HEIGHT - 6, 'tick last', most.toString() + unit))
  for (let at = windowMs ?? Infinity; at < endMs; at += windowMs ?? Infinity)
    parts.push(element('path', { d: `M${round(x(at))} ${floor - HEIGHT}V${bottom}`, class: 'window' }))
  parts.push(levelCurve(steps, ground, y))
  if (bound !== undefined)
    parts.push(element('path', { d: `M${x(0)} ${round(y(bound))}H${x(endMs)}`, class: 'bound' }))
  for (const [index, decision] of decisions.entries())
    parts.push(decisionMark(decision, ground, floor + 14 + rows[index]! * ROW))
  return [parts, bottom]
}

function describe(diagram: LevelDiagram): string {
  const panels = diagram.panels.map((panel) => {
    const { decisions } = recordLevel(diagram, panel)
    const instants = (isAllowed: boolean): string =>
      decisions
        .filter((decision) => decision.isAllowed === isAllowed)
        .map(({ at }) => at)
        .join(', ') || 'none'
    return `${panel.name}: allowed at ${instants(true)}; refused at ${instants(false)}.`
  })
  return [
    'The level over time, and requests under it: filled if allowed, crossed if refused. Instants are in ms.',
    ...panels,
  ].join(' ')
}

/** Sends requests to limiters, and draws their levels and decisions. */
export function drawLevel(diagram: LevelDiagram): string {
  const { title, endMs, panels } = diagram
  const ground: Ground = { x: scaleOf(endMs), endMs }
  const parts: string[] = []
  let y = 30
  for (const panel of panels) {
    const [drawn, bottom] = drawPanel(panel, diagram, ground, y)
    parts.push(...drawn)
    y = bottom + 38
  }
  const axisY = y - 28
  return frame(title, describe(diagram), axisY + 36, [...parts, axis(endMs, axisY)])
}
