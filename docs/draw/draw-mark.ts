import { element, round, text } from './svg.ts'
import type { Extent } from './rows.ts'
import type { Mark } from './timing.ts'

type Scale = (at: number) => number

export const ROW = 30
const RADIUS = 12

/** Half the width of a mark with this text. */
const reach = (letters: string): number => Math.max(RADIUS, 5 + letters.length * 6.5)

function pill(x: number, y: number, letters: string, className: string): string {
  const half = reach(letters)
  return element('rect', {
    x: x - half,
    y: y - RADIUS,
    width: 2 * half,
    height: 2 * RADIUS,
    rx: RADIUS,
    class: className,
  })
}

const run = (x: number, y: number, letters: string): string =>
  pill(x, y, letters, 'run') + text(x, y + 5.5, 'on', letters)

function refused(x: number, y: number, letters: string): string {
  const half = reach(letters)
  const stroke = `M${round(x - half + 1)} ${round(y + RADIUS - 1)}L${round(x + half - 1)} ${round(y - RADIUS + 1)}`
  return (
    pill(x, y, letters, 'refused') +
    element('path', { d: stroke, class: 'cross' }) +
    text(x, y + 5.5, 'off', letters)
  )
}

/** The horizontal extent of a mark. */
export function extentOf(mark: Mark, x: Scale): Extent {
  if ('at' in mark) return { left: x(mark.at) - reach(mark.text), right: x(mark.at) + reach(mark.text) }
  if (mark.kind === 'wait')
    return { left: x(mark.from), right: x(mark.to) + (mark.end ? reach(mark.text) : 0) }
  return { left: x(mark.from), right: x(mark.to) }
}

/** Draws a mark on a row with its middle at `y`. */
export function drawMark(mark: Mark, x: Scale, y: number): string {
  if ('at' in mark) return (mark.kind === 'run' ? run : refused)(x(mark.at), y, mark.text)
  const left = x(mark.from)
  const right = x(mark.to)
  const width = right - left
  switch (mark.kind) {
    case 'pending':
      return element('rect', { x: left, y: y - 2.5, width, height: 5, rx: 2.5, class: 'pending' })
    case 'wait': {
      const bar = element('rect', { x: left, y: y - 2.5, width, height: 5, rx: 2.5, class: 'pending' })
      if (!mark.end) return bar
      return bar + (mark.end === 'run' ? run : refused)(right, y, mark.text)
    }
    case 'state': {
      const box = element('rect', { x: left, y: y - RADIUS, width, height: 2 * RADIUS, class: 'state' })
      return box.replace('"state"', '"ground"') + box + text((left + right) / 2, y + 5.5, 'word', mark.text)
    }
    case 'task': {
      const box = element('rect', { x: left, y: y - RADIUS, width, height: 2 * RADIUS, rx: 4, class: 'task' })
      // An opaque background under the translucent box.
      const ground = box.replace('"task"', '"ground"')
      const label = text((left + right) / 2, y + 5.5, 'letter', mark.text)
      if (mark.end === 'done' || !mark.end) return ground + box + label
      const cross = `M${round(right - 20)} ${round(y - 7)}l14 14m0-14l-14 14`
      return ground + box + label + element('path', { d: cross, class: 'cross' })
    }
  }
}
