import { abortError } from '../shared/abort.ts'
import { checkNumberFrom, checkType } from '../shared/check.ts'
import { adviseOnOptions } from '../shared/develop.ts'
import { createListeners } from '../shared/store.ts'
import { createAlarm } from '../time/alarm.ts'
import { systemTimers, type Timers } from '../time/clock.ts'
import type { Pending } from './debounce.ts'

/**
 * Sends a batch. Returns a result for each item, in the order of the items; an Error rejects only its own item. If it returns
 * nothing, all items resolve when it has ended.
 */
export type BatchFlush<Item, Result> = (
  items: Item[],
) =>
  | readonly (Result | Error)[]
  | PromiseLike<readonly (Result | Error)[]>
  | (undefined extends Result ? void | PromiseLike<void> : never)

/** The options of `configure`. Omitted options keep their value. */
export interface BatchChanges<Item> {
  /** Time without a new item, in ms, after which a batch is sent. 0: in the next task. @default 0, or Infinity with `maxWait` */
  wait?: number | undefined
  /** Maximum time that an item waits while more keep coming, in ms. @default Infinity */
  maxWait?: number | undefined
  /** Number of items, at least 1, with which a batch is sent at once. @default Infinity */
  maxSize?: number | undefined
  /**
   * Returns the key of an item. Within a batch, items with equal keys (as in a Map) are one: the first is sent, and all of them
   * settle as it does. @default each item is its own
   */
  key?: ((item: Item) => unknown) | undefined
}

export interface BatchOptions<Item> extends BatchChanges<Item> {
  /** @default systemClock */
  clock?: Timers | undefined
}

/** A collector of items. Its methods are bound: they work without the object. */
export interface Batch<Item, Result> extends Pending {
  /**
   * Resolves with the item's own result. Rejects with its own Error, with the error of `flush` or `key`, with a RangeError or
   * TypeError if `flush` does not return one result for each item, and with an AbortError if it is cancelled. Only the AbortError
   * causes no unhandled rejection.
   */
  add: (item: Item) => Promise<Result>
  /** Sends the waiting items now. Resolves when this batch and all earlier ones have ended, successfully or not. Never rejects. */
  flush: () => Promise<void>
  /** Rejects the waiting items. Batches in flight continue. */
  cancel: () => void
  /** The number of items that wait to be sent. `subscribe` reports each change. */
  readonly size: number
  /**
   * Changes the options, also for the waiting items.
   * @throws as `batch` does, and then changes nothing.
   */
  configure: (changes: BatchChanges<Item>) => void
  /** Rejects the waiting items, and later ones until `configure`. */
  [Symbol.dispose]: () => void
}

/** An item that waits for its result. */
interface Entry<Item, Result> {
  item: Item
  promise?: Promise<Result>
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/** With a window from the first item, later items do not delay the batch. */
export const defaultWait = (maxWait: number): number => (maxWait < Infinity ? Infinity : 0)

/**
 * Collects items and sends them together: `wait` ms after the last one, `maxWait` ms after the first one, or as soon as there are
 * `maxSize`, whichever comes first. `{ wait: Infinity, maxWait }`, or `maxWait` alone, is a fixed window from the first item. Only
 * the first item of a batch sets a timer.
 *
 * Items that are added while `flush` runs go into the next batch, which does not wait for it.
 *
 * @throws TypeError if `flush` or `key` is not a function, or an option not a number; RangeError for a number out of range.
 */
export function batch<Item, Result = undefined>(
  flush: BatchFlush<Item, Result>,
  options: BatchOptions<Item> = {},
): Batch<Item, Result> {
  adviseOnOptions('batch', options)
  const { clock = systemTimers } = options
  const { subscribe, notify } = createListeners()
  const alarm = createAlarm(clock, send)
  const inFlight = new Set<Promise<void>>()
  let waiting = new Map<unknown, Entry<Item, Result>>()
  let { maxWait = Infinity, wait = defaultWait(maxWait), maxSize = Infinity, key } = options
  let openedAt = Infinity
  let lastAdd: number
  let isDisposed = false

  function add(item: Item): Promise<Result> {
    let itemKey: unknown
    let entry: Entry<Item, Result> | undefined
    const promise = new Promise<Result>((resolve, reject) => {
      itemKey = key ? key(item) : {}
      entry = waiting.get(itemKey) ?? { item, resolve, reject }
    })
    // If `key` throws, the promise rejects.
    if (!entry) return promise
    entry.promise ??= promise
    if (isDisposed) cancel([entry])
    else {
      lastAdd = clock.now()
      // Earlier if the clock was set back.
      openedAt = Math.min(openedAt, lastAdd)
      waiting.set(itemKey, entry)
      schedule()
      if (waiting.size) notify()
    }
    return entry.promise
  }

  function schedule(): void {
    // It is full when there is no room for another item.
    if (waiting.size + 1 > maxSize) send()
    else alarm.set(Math.min(lastAdd + wait, openedAt + maxWait))
  }

  /** Takes the items out for `use`. Listeners are called last: they may call in turn. */
  function takeAll(use: (entries: Entry<Item, Result>[]) => void): void {
    alarm.clear()
    const all = [...waiting.values()]
    waiting = new Map()
    openedAt = Infinity
    if (!all.length) return
    use(all)
    notify()
  }

  function send(): void {
    takeAll((entries) => {
      const end = settle(entries).then(() => void inFlight.delete(end))
      inFlight.add(end)
    })
  }

  /** Sends the items and gives each its result. Never rejects. */
  async function settle(entries: Entry<Item, Result>[]): Promise<void> {
    try {
      const { length } = entries
      const returned: unknown = await flush(entries.map(({ item }) => item))
      const results = (returned === undefined ? Array(length) : returned) as (Result | Error)[]
      if (!Array.isArray(results))
        throw new TypeError(`Expected an array result of flush, got ${String(results)}`)
      if (results.length !== length)
        throw new RangeError(`Expected ${length} results of flush, got ${results.length}`)
      entries.forEach(({ resolve, reject }, index) => {
        const result = results[index]!
        if (isError(result)) reject(result)
        else resolve(result)
      })
    } catch (error) {
      for (const { reject } of entries) reject(error)
    }
  }

  function cancel(entries: Entry<Item, Result>[]): void {
    const reason = abortError('The batch was cancelled')
    for (const { promise, reject } of entries) {
      // The caller of `cancel` knows, so it causes no unhandled rejection.
      promise!.catch(() => undefined)
      reject(reason)
    }
  }

  function configure(changes: BatchChanges<Item>): void {
    const { wait: newWait = wait, maxWait: newMaxWait = maxWait } = changes
    const { maxSize: newMaxSize = maxSize, key: newKey = key } = changes
    checkNumberFrom(0, 'wait', newWait)
    checkNumberFrom(0, 'maxWait', newMaxWait)
    checkNumberFrom(1, 'maxSize', newMaxSize)
    if (newKey !== undefined) checkType('function', 'key', newKey)
    wait = newWait
    maxWait = newMaxWait
    maxSize = newMaxSize
    key = newKey
    isDisposed = false
    if (waiting.size) schedule()
  }

  checkType('function', 'flush', flush)
  configure({})
  return {
    add,
    async flush() {
      send()
      await Promise.all(inFlight)
    },
    cancel: () => takeAll(cancel),
    get size() {
      return waiting.size
    },
    configure,
    isPending: () => waiting.size > 0,
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      takeAll(cancel)
    },
  }
}

/** Whether `value` is an error, also one of another realm: an iframe, or the platform's in Jest. */
const isError = (value: unknown): value is Error =>
  value instanceof Error || /Error]|DOMException/.test({}.toString.call(value))
