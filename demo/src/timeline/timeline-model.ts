import type { WaitSource } from 'lull/fetch'
import type { Driver } from '../settings/schema.ts'
import type { LogEntry } from '../status/event-log.ts'

type Outcome = 'waiting' | 'sent' | 'ok' | 'refused' | 'error' | 'aborted'

/** A phase of a call: waiting or in flight. */
export interface Span {
  call: number
  from: number
  /** Undefined while it lasts. */
  to: number | undefined
  outcome: Outcome
  /** A short text, so that the mark is readable without colour. */
  label: string
  /** Whether it is the first request after a pause. */
  isProbe?: boolean
  /** The source of the wait after it. */
  source?: WaitSource
}

export interface Interval {
  from: number
  to: number
}

interface Closing extends Interval {
  source: WaitSource
}

/** The data of the timeline. All times are instants of the clock. */
export interface TimelineModel {
  ticks: Record<Driver, number[]>
  spans: Span[]
  /** When the gate was closed; the last one may end later than now. */
  closed: Closing[]
  /** The maximum in flight, and since when. */
  windows: { from: number; window: number }[]
}

/** Builds the model from the entries. Calls whose first entries are no longer in the log are left out. */
export function readTimeline(entries: readonly LogEntry[]): TimelineModel {
  const ticks: TimelineModel['ticks'] = { keystroke: [], debounced: [], throttled: [] }
  const spans: Span[] = []
  const closed: Closing[] = []
  const windows: TimelineModel['windows'] = []
  const latest = new Map<number, Span>()
  let probe: number | undefined

  function begin(call: number, from: number, outcome: Outcome): void {
    const span = { call, from, to: undefined, outcome, label: '' }
    latest.set(call, span)
    spans.push(span)
  }

  function end(call: number, to: number, outcome?: Outcome, label = ''): void {
    const span = latest.get(call)
    if (span && span.to === undefined) Object.assign(span, { to, label, outcome: outcome ?? span.outcome })
  }

  /** Extends the last pause if it has not ended. */
  function close(from: number, to: number, source: WaitSource): void {
    const last = closed.at(-1)
    if (last && from < last.to) Object.assign(last, { to, source })
    else closed.push({ from, to, source })
  }

  for (const entry of entries) {
    const { at } = entry
    switch (entry.type) {
      case 'run':
        ticks[entry.run].push(at)
        break
      case 'window':
        windows.push({ from: at, window: entry.window })
        break
      case 'gate-probe':
        probe = entry.call
        break
      case 'enqueue':
      case 'retry':
        begin(entry.call, at, 'waiting')
        break
      case 'dispatch':
        end(entry.call, at)
        begin(entry.call, at, 'sent')
        if (entry.call === probe) Object.assign(latest.get(probe)!, { isProbe: true })
        probe = undefined
        break
      case 'response':
        end(entry.call, at, outcomeOf(entry.status), String(entry.status))
        break
      case 'throttled':
        Object.assign(latest.get(entry.call) ?? {}, { source: entry.source })
        break
      case 'error':
        end(entry.call, at, 'error', 'failed')
        break
      case 'abort':
        if (entry.phase === 'in-flight') end(entry.call, at, 'aborted', '×')
        else end(entry.call, at)
        break
      case 'drop':
        end(entry.call, at)
        break
      case 'gate-closed':
      case 'gate-extended':
        close(at, entry.until, entry.source)
        break
      default:
    }
  }
  return { ticks, spans, closed, windows }
}

const outcomeOf = (status: number): Outcome => (status === 429 ? 'refused' : status < 300 ? 'ok' : 'error')

/** The end of the last mark, at least `now` while a call is pending. */
export function lastMoment({ ticks, spans, closed }: TimelineModel, now: number): number {
  return Math.max(
    ...Object.values(ticks).map((instants) => instants.at(-1) ?? -Infinity),
    ...spans.map((span) => span.to ?? now),
    closed.at(-1)?.to ?? -Infinity,
  )
}
