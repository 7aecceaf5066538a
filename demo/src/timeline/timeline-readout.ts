import { drivers } from '../settings/schema.ts'
import type { Span, TimelineModel } from './timeline-model.ts'
import { lanes, rowOf } from './timeline-scale.ts'
import { windowSteps } from './timeline-windows.ts'
import { waitWords } from '../status/wait-words.ts'

interface Pointed {
  model: TimelineModel
  now: number
  /** The instant and the height of the pointer, and the maximum distance of a mark. */
  at: number
  units: number
  toleranceMs: number
}

const runWords = {
  keystroke: 'a change of the text',
  debounced: 'a debounced run',
  throttled: 'a throttled run',
}

/** Describes the mark at the pointer; undefined if there is none. */
export function readPoint({ model, now, at, units, toleranceMs }: Pointed): string | undefined {
  const isNear = (from: number, to: number) => from - toleranceMs <= at && at <= to + toleranceMs
  const ago = (instant: number) => `${((now - instant) / 1000).toFixed(1)} s ago`

  for (const run of drivers) {
    const { top, height } = lanes[run]
    if (units < top || units >= top + height) continue
    const tick = model.ticks[run].findLast((instant) => isNear(instant, instant))
    return tick === undefined ? undefined : `${ago(tick)}: ${runWords[run]}`
  }
  if (units < lanes.gate.top) {
    const hits = model.spans.filter((span) => isNear(span.from, span.to ?? now) && span.from !== span.to)
    const distance = (span: Span) => Math.abs(rowOf(span.call) - units)
    const [span] = hits.sort((a, b) => distance(a) - distance(b))
    return span && `${ago(span.from)}: ${spanWords(span, now)}`
  }
  if (units < lanes.window.top) {
    const closed = model.closed.findLast(({ from, to }) => isNear(from, to))
    if (!closed) return undefined
    const { from, to, source } = closed
    return `${ago(from)}: paused for ${seconds(to - from)}, by ${waitWords[source].by}`
  }
  const step = windowSteps(model, now).findLast(({ from, to }) => isNear(from, to))
  return step && `${ago(step.from)}: at most ${step.window} in parallel`
}

function spanWords(
  { call, from, to = Infinity, outcome, label, isProbe, source }: Span,
  now: number,
): string {
  const name = isProbe ? `request ${call}, the probe` : `request ${call}`
  const took = seconds(Math.min(to, now) - from)
  switch (outcome) {
    case 'waiting':
      return `request ${call} waits, ${took}`
    case 'sent':
      return `${name} is in flight, ${took}`
    case 'aborted':
      return `${name}, aborted after ${took}`
    default:
      return `${name}, ${label} after ${took}${source ? `; wait set by ${waitWords[source].by}` : ''}`
  }
}

const seconds = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
