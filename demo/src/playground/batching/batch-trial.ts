import { createTurn } from '../../strips/turn.ts'
import type { Lookup } from './use-lookups.ts'

/** The visible time span, in ms. */
export const PAST_MS = 10_000
/** Calls closer than this overlap on a phone, in ms. Their marks are wide, because they contain a number. */
const WIDE_MS = 800
/** The number of listed items. */
export const LISTED = 10

interface AddedItem {
  readonly item: number
  readonly at: number
  /** Undefined until its promise has resolved. */
  lookup: Lookup | undefined
}

export interface SentCall {
  readonly at: number
  readonly size: number
  /** The line on which it is drawn; close calls take turns. */
  readonly turn: number
  isDone: boolean
}

/** The items, calls and results since the last clear: those of the last `PAST_MS`, and counts of all. */
export interface BatchTrial {
  readonly items: AddedItem[]
  readonly calls: SentCall[]
  /** The instants of the results. */
  readonly results: number[]
  readonly counts: { items: number; calls: number; returned: number }
  add: (at: number) => AddedItem
  send: (at: number, size: number) => SentCall
  addResult: (added: AddedItem, lookup: Lookup) => void
  /** The instant of the last event. */
  lastAt: () => number
}

export function createBatchTrial(): BatchTrial {
  const items: AddedItem[] = []
  const calls: SentCall[] = []
  const results: number[] = []
  const counts = { items: 0, calls: 0, returned: 0 }
  const turnOf = createTurn(WIDE_MS)

  function forgetBefore(at: number): void {
    while (items.length > LISTED && items[0]!.at < at) items.shift()
    while (calls[0] && calls[0].at < at) calls.shift()
    while (results[0] !== undefined && results[0] < at) results.shift()
  }

  return {
    items,
    calls,
    results,
    counts,
    add(at) {
      forgetBefore(at - PAST_MS)
      const added: AddedItem = { item: ++counts.items, at, lookup: undefined }
      items.push(added)
      return added
    },
    send(at, size) {
      counts.calls++
      const call: SentCall = { at, size, turn: turnOf(at), isDone: false }
      calls.push(call)
      return call
    },
    addResult(added, lookup) {
      counts.returned++
      added.lookup = lookup
      results.push(lookup.at)
    },
    lastAt: () =>
      Math.max(items.at(-1)?.at ?? -Infinity, calls.at(-1)?.at ?? -Infinity, results.at(-1) ?? -Infinity),
  }
}
