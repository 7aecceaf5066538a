import type { Mark, Timing } from './timing.ts'

const ends = { run: 'runs', refused: 'is refused', done: 'is done', aborted: 'is aborted', failed: 'fails' }

const starts = (mark: Mark): number => ('at' in mark ? mark.at : mark.from)

function inWords(mark: Mark, endMs: number): string {
  switch (mark.kind) {
    case 'run':
      return `runs with ${mark.text} at ${mark.at}`
    case 'refused':
      return `refuses ${mark.text} at ${mark.at}`
    case 'wait':
      return mark.end
        ? `${mark.text} waits from ${mark.from} to ${mark.to} and ${ends[mark.end]}`
        : `${mark.text} waits from ${mark.from} on`
    case 'task':
      return mark.end
        ? `${mark.text} runs from ${mark.from} to ${mark.to} and ${ends[mark.end]}`
        : `${mark.text} runs from ${mark.from} on`
    case 'state':
      return mark.to === endMs
        ? `${mark.text} from ${mark.from} on`
        : `${mark.text} from ${mark.from} to ${mark.to}`
    case 'pending':
      return mark.to === endMs ? `pending from ${mark.from} on` : `pending from ${mark.from} to ${mark.to}`
  }
}

/** Describes the drawing in words, for screen readers. */
export function describe(
  { calls, endMs, callsName = 'Calls' }: Timing,
  rows: [name: string, marks: Mark[]][],
): string {
  const row = ([name, marks]: [string, Mark[]]): string => {
    const words = [...marks].sort((a, b) => starts(a) - starts(b)).map((mark) => inWords(mark, endMs))
    return `${name}: ${words.join('; ') || 'nothing happens'}.`
  }
  const called = calls.map(({ text, at }) => `${text} at ${at}`).join(', ')
  return [`Instants are in ms. ${callsName}: ${called}.`, ...rows.map(row)].join(' ')
}
