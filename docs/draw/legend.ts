import { drawMark, ROW } from './draw-mark.ts'
import { element, frame, text } from './svg.ts'
import type { Mark } from './timing.ts'

/** An example of each kind of mark, and its meaning. */
const meanings: [mark: Mark | 'call', meaning: string][] = [
  ['call', 'a call, at this instant'],
  [{ kind: 'run', text: 'A', at: 60 }, 'call A runs, or request A passes'],
  [{ kind: 'refused', text: 'B', at: 60 }, 'call B is refused or dropped'],
  [{ kind: 'pending', text: '', from: 20, to: 100 }, 'a run is pending'],
  [{ kind: 'wait', text: 'C', from: 20, to: 88, end: 'run' }, 'call C waits, then runs'],
  [{ kind: 'task', text: 'D', from: 20, to: 100, end: 'done' }, 'task or request D is in flight'],
  [{ kind: 'task', text: 'E', from: 20, to: 100, end: 'failed' }, 'E fails (429) or is aborted'],
  [{ kind: 'state', text: 'open', from: 20, to: 100 }, 'a state or a shown value'],
]

const TOP = 34
const STEP = ROW + 8

/** Draws the legend of the timing diagrams. */
export function drawLegend(): string {
  const parts = meanings.flatMap(([mark, meaning], index) => {
    const y = TOP + index * STEP
    const drawn =
      mark === 'call'
        ? text(60, y - 2, 'letter', 'A') + element('path', { d: `M60 ${y + 3}v12`, class: 'call' })
        : drawMark(mark, (at) => at, y)
    return [drawn, text(130, y + 5.5, 'meaning', meaning)]
  })
  const described = meanings.map(([mark, meaning]) => `${mark === 'call' ? 'tick' : mark.kind}: ${meaning}`)
  return frame('The marks of the timing diagrams', described.join('; '), TOP + meanings.length * STEP, parts)
}
