import type { FetchEvent } from 'lull/fetch'
import type { Driver } from '../settings/schema.ts'
import { createListeners } from '../listeners.ts'
import { addToTotals, noTotals, type Totals } from './totals.ts'

/**
 * An event of the rate-limited fetch, a change of its window (the maximum in flight), a run that a change of
 * the text triggers, or a request for typed text.
 */
export type LogEntry =
  | FetchEvent
  | { readonly type: 'window'; readonly window: number; readonly at: number }
  | { readonly type: 'run'; readonly run: Driver; readonly at: number }
  /** A request for typed text is sent. */
  | { readonly type: 'typed'; readonly at: number }

/** All events in order: the single source of the timeline and of the counters. */
export interface EventLog {
  add: (entry: LogEntry) => void
  /** The last entries, oldest first; the same array until one is added. */
  entries: () => readonly LogEntry[]
  /** The totals of all entries, also of those no longer kept. */
  totals: () => Totals
  /** Removes all entries except the current window. */
  clear: () => void
  subscribe: (listener: () => void) => () => void
}

/** @param capacity the entries kept. A key held down for 12 s adds 2,500: 30 a second, 7 entries each. */
export function createEventLog(capacity = 4096): EventLog {
  const { notify, subscribe } = createListeners()
  let entries: readonly LogEntry[] = []
  let totals = noTotals

  return {
    add(entry) {
      entries = [...entries, entry].slice(-capacity)
      totals = addToTotals(totals, entry)
      notify()
    },
    entries: () => entries,
    totals: () => totals,
    clear() {
      entries = entries.filter(({ type }) => type === 'window').slice(-1)
      totals = { ...noTotals, named: totals.named }
      notify()
    },
    subscribe,
  }
}
