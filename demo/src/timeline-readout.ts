import { drivers } from './client-settings.ts'
import type { Span, TimelineModel } from './timeline-model.ts'
import { LANE_UNITS, lanes, rowOf } from './timeline-scale.ts'

interface Pointed {
  model: TimelineModel
  now: number
  /** The instant and the height that are pointed at, and how far from it something may be. */
  at: number
  units: number
  toleranceMs: number
}

const runWords = {
  keystroke: 'a change of the text',
  debounced: 'a debounced run',
  throttled: 'a throttled run',
}

/** What is drawn at the place pointed at, in words; undefined if nothing is. */
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
  const closed = model.closed.findLast(({ from, to }) => isNear(from, to))
  if (units > LANE_UNITS || !closed) return undefined
  return `${ago(closed.from)}: the gate closed for ${seconds(closed.to - closed.from)}`
}

function spanWords({ call, from, to = Infinity, outcome, label }: Span, now: number): string {
  const took = seconds(Math.min(to, now) - from)
  switch (outcome) {
    case 'waiting':
      return `request ${call} waits, ${took}`
    case 'asking':
      return `request ${call} is in flight, ${took}`
    case 'aborted':
      return `request ${call}, aborted after ${took}`
    default:
      return `request ${call}, ${label} after ${took}`
  }
}

const seconds = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
