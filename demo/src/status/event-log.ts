import type { FetchEvent } from 'lull/fetch'
import type { Driver } from '../settings/schema.ts'
import { addToTotals, noTotals, type Totals } from './totals.ts'

/**
 * The events of the rate-limited fetch; how many requests it lets be in flight; and what happens before it: a change of the
 * text, and the runs that follow from it.
 */
export type LogEntry =
  | FetchEvent
  | { readonly type: 'window'; readonly window: number; readonly at: number }
  | { readonly type: 'run'; readonly run: Driver; readonly at: number }
  /** A request for what was typed is sent, or refused. */
  | { readonly type: 'typed'; readonly outcome: 'sent' | 'refused'; readonly at: number }

/** Everything that happened, in its order: the one source of the timeline and of the counters. */
export interface EventLog {
  add: (entry: LogEntry) => void
  /** The last ones, oldest first: the same array until something is added. */
  entries: () => readonly LogEntry[]
  /** Of all, also those that are not kept. */
  totals: () => Totals
  /** Forgets all but the window, which is still in force. */
  clear: () => void
  subscribe: (listener: () => void) => () => void
}

/** @param capacity the entries kept: 12 s of a key held down make 2,500, at 30 a second and 7 each. */
export function createEventLog(capacity = 4096): EventLog {
  const listeners = new Set<() => void>()
  let ring: LogEntry[] = []
  let oldest = 0
  let ordered: readonly LogEntry[] | undefined
  let totals = noTotals

  function changed(): void {
    ordered = undefined
    for (const listener of listeners) listener()
  }

  const inOrder = (): readonly LogEntry[] => (ordered ??= [...ring.slice(oldest), ...ring.slice(0, oldest)])

  return {
    add(entry) {
      if (ring.length < capacity) ring.push(entry)
      else {
        ring[oldest] = entry
        oldest = (oldest + 1) % capacity
      }
      totals = addToTotals(totals, entry)
      changed()
    },
    entries: inOrder,
    totals: () => totals,
    clear() {
      const inForce = inOrder().findLast(({ type }) => type === 'window')
      ring = inForce ? [inForce] : []
      oldest = 0
      totals = noTotals
      changed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
