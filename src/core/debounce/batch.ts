import { abortError } from '../shared/abort.ts'
import { createAlarm } from '../time/alarm.ts'
import { checkFunction } from '../shared/check.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import type { Pending } from './held.ts'
import { createListeners } from '../shared/listeners.ts'
import { checkFrom } from '../limit/rules/check-number.ts'
import { createEntry, settleBatch, type BatchEntry, type BatchFlush } from './settle-batch.ts'

/** What `configure` takes: what is absent, or undefined, stays as it is. */
export interface BatchChanges<Item> {
  /** A batch is sent when no item has come for so many ms; 0 is the end of the task. @default 0, or Infinity with `maxWait` */
  wait?: number | undefined
  /** The longest that an item waits while more keep coming, in ms. @default Infinity */
  maxWait?: number | undefined
  /** So many items are sent at once, without waiting; from 1. @default Infinity */
  maxSize?: number | undefined
  /**
   * Items with the same key (as in a Map) are one within a batch: the first is sent, and its outcome is that of all.
   * @default each item is its own
   */
  key?: ((item: Item) => unknown) | undefined
}

export interface BatchOptions<Item> extends BatchChanges<Item> {
  /** @default systemClock */
  clock?: Clock | undefined
}

/** Its methods are bound, so they may be taken off it. */
export interface Batch<Item, Result> extends Pending {
  /**
   * Resolves with the item's own result. Rejects with its own Error, with what `flush` throws or rejects with, with a
   * RangeError or TypeError for an answer that is not one result for each item, with what `key` throws, and with an
   * AbortError if it is cancelled: that one alone may be ignored without a report of an unhandled rejection.
   */
  add: (item: Item) => Promise<Result>
  /** Sends what waits now. Resolves when it and all that was sent before has ended, well or not; never rejects. */
  flush: () => Promise<void>
  /** Rejects what waits. What has been sent goes on. */
  cancel: () => void
  /** How many items wait to be sent; `subscribe` tells of each change. */
  readonly size: number
  /**
   * Changes the options from now on; what waits is due as they say then.
   * @throws as `batch` does; nothing is changed then.
   */
  configure: (changes: BatchChanges<Item>) => void
  /** Cancels; what is added later is cancelled too, until `configure`. */
  [Symbol.dispose]: () => void
}

/** With a window from the first item, the items after it do not end the batch. */
export const defaultWait = (maxWait: number): number => (maxWait < Infinity ? Infinity : 0)

/**
 * Collects items and sends them together: `wait` ms after the last one, `maxWait` ms after the first one, or as soon
 * as there are `maxSize`, whichever is first. `{ wait: Infinity, maxWait }`, or `maxWait` alone, is a fixed window from
 * the first item. Only the first item of a batch sets a timer.
 *
 * Items that come while `flush` is at work go into the next batch, which does not wait for it.
 *
 * @throws TypeError for a `flush` or `key` that is no function; RangeError for a number out of range.
 * @see seed 001, "Coalescing Debouncers"
 */
export function batch<Item, Result = undefined>(
  flush: BatchFlush<Item, Result>,
  { clock = systemClock, ...options }: BatchOptions<Item> = {},
): Batch<Item, Result> {
  checkFunction('flush', flush)
  const { subscribe, notify } = createListeners()
  const alarm = createAlarm(clock, send)
  const inFlight = new Set<Promise<void>>()
  let waiting = new Map<unknown, BatchEntry<Item, Result>>()
  let { maxWait = Infinity, wait = defaultWait(maxWait), maxSize = Infinity, key } = options
  let openedAt: number
  let lastAdd: number
  let isDisposed = false

  function configure(changes: BatchChanges<Item>): void {
    const next = {
      wait: changes.wait ?? wait,
      maxWait: changes.maxWait ?? maxWait,
      maxSize: changes.maxSize ?? maxSize,
      key: changes.key ?? key,
    }
    checkFrom(0, 'wait', next.wait)
    checkFrom(0, 'maxWait', next.maxWait)
    checkFrom(1, 'maxSize', next.maxSize)
    if (next.key) checkFunction('key', next.key)
    ;({ wait, maxWait, maxSize, key } = next)
    isDisposed = false
    if (waiting.size > 0) schedule()
  }

  function schedule(): void {
    // One more than there are would be too many.
    if (waiting.size + 1 > maxSize) send()
    else alarm.set(Math.min(lastAdd + wait, openedAt + maxWait))
  }

  function add(item: Item): Promise<Result> {
    const own = createEntry<Item, Result>(item)
    let itemKey: unknown = own
    try {
      if (key) itemKey = key(item)
    } catch (error) {
      own.reject(error)
      return own.promise
    }
    const entry = waiting.get(itemKey) ?? own
    lastAdd = clock.now()
    if (waiting.size === 0) openedAt = lastAdd
    waiting.set(itemKey, entry)
    if (isDisposed) cancel()
    else {
      schedule()
      if (waiting.size > 0) notify()
    }
    return entry.promise
  }

  function takeAll(): BatchEntry<Item, Result>[] {
    alarm.clear()
    const all = [...waiting.values()]
    waiting = new Map()
    if (all.length > 0) notify()
    return all
  }

  function send(): void {
    const entries = takeAll()
    if (entries.length === 0) return
    const end = settleBatch(entries, flush).then(() => void inFlight.delete(end))
    inFlight.add(end)
  }

  function cancel(): void {
    const entries = takeAll()
    if (entries.length === 0) return
    const reason = abortError('The batch was cancelled')
    for (const { promise, reject } of entries) {
      // Who cancels knows: nobody need listen.
      promise.catch(() => undefined)
      reject(reason)
    }
  }

  configure({})
  return {
    add,
    async flush() {
      send()
      await Promise.all(inFlight)
    },
    cancel,
    get size() {
      return waiting.size
    },
    configure,
    isPending: () => waiting.size > 0,
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      cancel()
    },
  }
}
