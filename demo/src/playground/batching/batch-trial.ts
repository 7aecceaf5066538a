import { createTurn } from '../../strips/turn.ts'
import type { Lookup } from './use-lookups.ts'

/** How much is shown, in ms. */
export const PAST_MS = 10_000
/** So near are calls that hide each other on a phone: they are drawn with a number. */
const WIDE_MS = 800
/** How many items are listed. */
export const LISTED = 10

interface AddedItem {
  readonly item: number
  readonly at: number
  /** Once its promise has resolved. */
  lookup: Lookup | undefined
}

export interface SentCall {
  readonly at: number
  readonly size: number
  /** The line on which it is drawn, as calls may be near each other. */
  readonly turn: number
  isAnswered: boolean
}

/** What has come of what was added since it was cleared: all of the last `PAST_MS`, and numbers for the rest. */
export interface BatchTrial {
  readonly items: AddedItem[]
  readonly calls: SentCall[]
  /** The instants. */
  readonly answers: number[]
  readonly counts: { items: number; calls: number; answered: number }
  add: (at: number) => AddedItem
  send: (at: number, size: number) => SentCall
  answer: (added: AddedItem, lookup: Lookup) => void
  /** When anything happened last. */
  lastAt: () => number
}

export function createBatchTrial(): BatchTrial {
  const items: AddedItem[] = []
  const calls: SentCall[] = []
  const answers: number[] = []
  const counts = { items: 0, calls: 0, answered: 0 }
  const turnOf = createTurn(WIDE_MS)

  function forgetBefore(at: number): void {
    while (items.length > LISTED && items[0]!.at < at) items.shift()
    while (calls[0] && calls[0].at < at) calls.shift()
    while (answers[0] !== undefined && answers[0] < at) answers.shift()
  }

  return {
    items,
    calls,
    answers,
    counts,
    add(at) {
      forgetBefore(at - PAST_MS)
      const added: AddedItem = { item: ++counts.items, at, lookup: undefined }
      items.push(added)
      return added
    },
    send(at, size) {
      counts.calls++
      const call: SentCall = { at, size, turn: turnOf(at), isAnswered: false }
      calls.push(call)
      return call
    },
    answer(added, lookup) {
      counts.answered++
      added.lookup = lookup
      answers.push(lookup.at)
    },
    lastAt: () =>
      Math.max(items.at(-1)?.at ?? -Infinity, calls.at(-1)?.at ?? -Infinity, answers.at(-1) ?? -Infinity),
  }
}
