import { describe } from './describe.ts'
import { drawMark, extentOf, ROW } from './draw-mark.ts'
import { record } from './record.ts'
import { rowsOf } from './rows.ts'
import { axis, element, frame, round, scaleOf, text } from './svg.ts'
import type { Mark, Timing } from './timing.ts'

const TOP = 30
const LEFT = 16
/** The distance from the name of a lane to the middle of its first row. */
const UNDER_NAME = 24

/** Runs the calls in each lane and draws the results. */
export async function drawTiming(timing: Timing): Promise<string> {
  const { title, endMs, calls, lanes, callsName = 'calls' } = timing
  const x = scaleOf(endMs)
  const recorded: [string, Mark[]][] = []
  for (const lane of lanes) recorded.push([lane.name, await record(timing, lane)])

  const parts: string[] = []
  const callRows = rowsOf(
    calls.map(({ at, text }) => ({ left: x(at) - 6 * text.length, right: x(at) + 6 * text.length })),
  )
  const callsY = TOP + 22 + Math.max(...callRows) * 18
  parts.push(text(LEFT, TOP, 'name', callsName))
  for (const [index, call] of calls.entries()) {
    parts.push(text(x(call.at), callsY - callRows[index]! * 18, 'letter', call.text))
  }
  const ticksY = callsY + 6
  let y = ticksY + 44
  const drawn: string[] = []
  for (const [name, marks] of recorded) {
    drawn.push(text(LEFT, y, 'name', name))
    const middle = y + UNDER_NAME
    // Pending bars are drawn below the other marks and need no row.
    const bars = marks.filter(({ kind }) => kind === 'pending')
    const others = marks.filter(({ kind }) => kind !== 'pending')
    const rows = rowsOf(others.map((mark) => extentOf(mark, x)))
    const last = Math.max(0, ...rows)
    for (let row = 0; row <= last; row++)
      drawn.push(element('path', { d: `M${x(0)} ${middle + row * ROW}H${x(endMs)}`, class: 'lane' }))
    for (const bar of bars) drawn.push(drawMark(bar, x, middle))
    for (const [index, mark] of others.entries()) drawn.push(drawMark(mark, x, middle + rows[index]! * ROW))
    y = middle + last * ROW + 44
  }
  const bottom = y - 24
  for (const { at } of calls) {
    parts.push(element('path', { d: `M${round(x(at))} ${ticksY}V${bottom}`, class: 'guide' }))
    parts.push(element('path', { d: `M${round(x(at))} ${ticksY}v12`, class: 'call' }))
  }
  parts.push(...drawn, axis(endMs, bottom))
  return frame(title, describe(timing, recorded), bottom + 36, parts)
}
