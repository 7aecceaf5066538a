import type { Driver } from '../settings/schema.ts'
import type { LogEntry } from './event-log.ts'
import { addToPauses, type Pause } from './pauses.ts'

/** The counts of events. */
export interface Counts extends Readonly<Record<Driver, number>> {
  readonly requests: number
  /** Responses with status 429. */
  readonly refused: number
  /** Responses with a status below 300. */
  readonly answered: number
  /** Requests without a response, or with an error status other than 429. */
  readonly failed: number
  readonly aborted: number
  readonly closings: number
  /** The requests for typed text. */
  readonly typed: number
}

export interface Totals extends Counts {
  /** The attempt number of the last request; undefined before the first. */
  readonly attempt: number | undefined
  /** The delay that the last response asked for, in ms. */
  readonly saidMs: number | undefined
  /** Whether the last response was a refusal without a delay. */
  readonly isSilent: boolean
  /** Whether the last response of each origin named the server's limit; missing if none has. */
  readonly named: Readonly<Record<string, boolean>>
  /** Whether the last request had no response. */
  readonly isDown: boolean
  /** The last pauses, newest first. */
  readonly pauses: readonly Pause[]
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
  typed: 0,
  isDown: false,
  attempt: undefined,
  saidMs: undefined,
  isSilent: false,
  named: {},
  pauses: [],
}

export function addToTotals(totals: Totals, entry: LogEntry): Totals {
  switch (entry.type) {
    case 'run':
      return { ...totals, [entry.run]: totals[entry.run] + 1 }
    case 'typed':
      return { ...totals, typed: totals.typed + 1 }
    case 'dispatch':
      return { ...totals, requests: totals.requests + 1, attempt: entry.attempt, isSilent: false }
    case 'response': {
      const outcome = entry.status === 429 ? 'refused' : entry.status < 300 ? 'answered' : 'failed'
      const saidMs = entry.retryAfterMs
      const isSilent = outcome === 'refused' && saidMs === undefined
      // `rateLimitFields` adds what it has read.
      const named =
        'limits' in entry || entry.key in totals.named
          ? { ...totals.named, [entry.key]: 'limits' in entry }
          : totals.named
      return { ...totals, [outcome]: totals[outcome] + 1, saidMs, isSilent, named, isDown: false }
    }
    case 'error':
      return { ...totals, failed: totals.failed + 1, isDown: true }
    case 'abort':
      return entry.phase === 'in-flight' ? { ...totals, aborted: totals.aborted + 1 } : totals
    case 'gate-closed':
    case 'gate-extended': {
      const pauses = addToPauses(totals.pauses, entry, totals)
      return { ...totals, pauses, closings: totals.closings + (entry.type === 'gate-closed' ? 1 : 0) }
    }
    default:
      return totals
  }
}
