import type { Clock } from 'lull/core'
import { repeat } from '../../time/repeat.ts'
import { createBatchTrial, LISTED, PAST_MS, type BatchTrial } from './batch-trial.ts'
import type { Lookup } from './use-lookups.ts'

/** How long a call takes, in ms. */
const CALL_MS = 300
const HOLD_MS = 100

type Add = (item: number) => Promise<Lookup>

export interface ListedItem {
  readonly item: number
  /** The call by which its promise was resolved, once it is. */
  readonly call: number | undefined
}

export interface BatchTally {
  readonly items: number
  readonly calls: number
  readonly answered: number
  /** The last ones, the newest first. */
  readonly listed: readonly ListedItem[]
  readonly isHeld: boolean
}

/** What was added, what was sent for it, and what came of it. */
export interface BatchRecording {
  /** Stands for the server: answers all items of a call after a while. */
  call: (items: number[]) => Promise<Lookup[]>
  /** Adds so many items. */
  put: (count: number, add: Add) => void
  /** Adds ten a second, until it is undefined. */
  hold: (add: Add | undefined) => void
  clear: () => void
  now: () => number
  /** What there is to draw. */
  trial: () => BatchTrial
  isMoving: () => boolean
  /** The same object until it changes. */
  tally: () => BatchTally
  subscribe: (listener: () => void) => () => void
}

export function createBatchRecording(clock: Clock): BatchRecording {
  const listeners = new Set<() => void>()
  let trial = createBatchTrial()
  let tally: BatchTally | undefined
  let endHold: (() => void) | undefined

  function changed(): void {
    tally = undefined
    for (const listener of listeners) listener()
  }

  function putOne(add: Add): void {
    const own = trial
    const added = own.add(clock.now())
    add(added.item).then(
      (lookup) => {
        own.answer(added, lookup)
        changed()
      },
      // Cancelled, by who clears or leaves.
      () => undefined,
    )
    changed()
  }

  return {
    call(items) {
      const sent = trial.send(clock.now(), items.length)
      const call = trial.counts.calls
      changed()
      return new Promise((resolve) => {
        clock.after(CALL_MS, () => {
          sent.isAnswered = true
          resolve(items.map((item) => ({ item, call, at: clock.now() })))
        })
      })
    },
    put(count, add) {
      for (let index = 0; index < count; index++) putOne(add)
    },
    hold(add) {
      if ((add !== undefined) === (endHold !== undefined)) return
      endHold?.()
      endHold =
        add &&
        repeat(
          clock,
          () => putOne(add),
          () => HOLD_MS,
        )
      changed()
    },
    clear() {
      trial = createBatchTrial()
      changed()
    },
    now: () => clock.now(),
    trial: () => trial,
    isMoving: () => endHold !== undefined || clock.now() - trial.lastAt() <= PAST_MS,
    tally: () =>
      (tally ??= {
        ...trial.counts,
        listed: trial.items
          .slice(-LISTED)
          .reverse()
          .map(({ item, lookup }) => ({ item, call: lookup?.call })),
        isHeld: endHold !== undefined,
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
