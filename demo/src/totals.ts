import type { WaitSource } from 'lull/fetch'
import type { Driver } from './client-settings.ts'
import type { LogEntry } from './event-log.ts'

/** How often what happened. */
export interface Totals extends Readonly<Record<Driver, number>> {
  readonly requests: number
  /** Answered with status 429. */
  readonly refused: number
  /** Answered with another status from 200 to 299. */
  readonly answered: number
  /** Not answered, or with an error. */
  readonly failed: number
  readonly aborted: number
  readonly closings: number
  /** How often the last call was sent; undefined before the first. */
  readonly attempt: number | undefined
  /** What decided the last pause. */
  readonly source: WaitSource | undefined
}

export const noTotals: Totals = {
  keystroke: 0,
  debounced: 0,
  throttled: 0,
  requests: 0,
  refused: 0,
  answered: 0,
  failed: 0,
  aborted: 0,
  closings: 0,
  attempt: undefined,
  source: undefined,
}

export function addToTotals(totals: Totals, entry: LogEntry): Totals {
  switch (entry.type) {
    case 'run':
      return { ...totals, [entry.run]: totals[entry.run] + 1 }
    case 'dispatch':
      return { ...totals, requests: totals.requests + 1, attempt: entry.attempt }
    case 'response': {
      const outcome = entry.status === 429 ? 'refused' : entry.status < 300 ? 'answered' : 'failed'
      return { ...totals, [outcome]: totals[outcome] + 1 }
    }
    case 'error':
      return { ...totals, failed: totals.failed + 1 }
    case 'abort':
      return entry.phase === 'in-flight' ? { ...totals, aborted: totals.aborted + 1 } : totals
    case 'gate-closed':
      return { ...totals, closings: totals.closings + 1, source: entry.source }
    default:
      return totals
  }
}
