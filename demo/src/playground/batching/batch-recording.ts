import type { Clock } from 'lull/core'
import { repeat } from '../../time/repeat.ts'
import { createListeners } from '../../listeners.ts'
import { createBatchTrial, LISTED, PAST_MS, type BatchTrial } from './batch-trial.ts'
import type { Lookup } from './use-lookups.ts'

/** How long a call takes, in ms. */
const CALL_MS = 300
const HOLD_MS = 100

type Add = (item: number) => Promise<Lookup>

export interface ListedItem {
  readonly item: number
  /** The call that resolved its promise; undefined while pending. */
  readonly call: number | undefined
}

export interface BatchTally {
  readonly items: number
  readonly calls: number
  readonly returned: number
  /** The last items, newest first. */
  readonly listed: readonly ListedItem[]
  readonly isHeld: boolean
}

/** The added items, the calls sent for them, and the results. */
export interface BatchRecording {
  /** A fake server: resolves with a result for each item after `CALL_MS`. */
  call: (items: number[]) => Promise<Lookup[]>
  /** Adds `count` items. */
  put: (count: number, add: Add) => void
  /** Adds ten items a second; undefined stops. */
  hold: (add: Add | undefined) => void
  clear: () => void
  now: () => number
  /** The state to draw. */
  trial: () => BatchTrial
  isMoving: () => boolean
  /** The same object until it changes. */
  tally: () => BatchTally
  subscribe: (listener: () => void) => () => void
}

export function createBatchRecording(clock: Clock): BatchRecording {
  const { notify, subscribe } = createListeners()
  let trial = createBatchTrial()
  let tally: BatchTally | undefined
  let endHold: (() => void) | undefined

  function changed(): void {
    tally = undefined
    notify()
  }

  function putOne(add: Add): void {
    const own = trial
    const added = own.add(clock.now())
    add(added.item).then(
      (lookup) => {
        own.addResult(added, lookup)
        changed()
      },
      // Cancelled by "Clear items" or unmount.
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
          sent.isDone = true
          resolve(items.map(() => ({ call, at: clock.now() })))
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
    subscribe,
  }
}
