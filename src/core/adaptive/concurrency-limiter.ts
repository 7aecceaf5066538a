import { reasonOf, throwIfAborted } from '../shared/abort.ts'
import { outcomeOf } from './call-outcome.ts'
import { systemClock } from '../time/clock.ts'
import type {
  AcquireOptions,
  AdaptiveLimit,
  ConcurrencyChanges,
  ConcurrencyLimiter,
  ConcurrencyLimiterOptions,
  ConcurrencySnapshot,
  Release,
} from './concurrency-limiter-types.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { createListeners } from '../shared/listeners.ts'
import { checkFrom } from '../limit/rules/check-number.ts'
import { untilAborted } from '../shared/until-aborted.ts'
import { createWaitingRoom } from '../limit/waiting-room.ts'

/**
 * Limits how many calls are in flight at a time: to a number, or to one that adapts to what the calls show.
 *
 * A call costs O(1), or O(log n) if it waits among n with a `timeoutMs`. There is one timer for all, and only while
 * one of those waits.
 *
 * @throws RangeError for a `limit` below 1 or a `maxQueue` below 0.
 */
export function createConcurrencyLimiter({
  clock = systemClock,
  ...options
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const time = createForwardTime(clock)
  const listeners = createListeners()
  const room = createWaitingRoom(clock)
  let limit: number | AdaptiveLimit
  let maxQueue = Infinity
  let inFlight = 0
  let allowed = 0
  let denied = 0
  let isDisposed = false
  let last: ConcurrencySnapshot | undefined
  let lastKey: string

  const current = (): number => (typeof limit === 'number' ? limit : limit.current)
  const isFree = (): boolean => room.size() === 0 && inFlight < current()

  function take(): Release {
    inFlight++
    allowed++
    const ended = typeof limit === 'object' && limit.started(inFlight, time.now())
    let isHeld = true
    return (outcome = 'success') => {
      if (!isHeld) return
      isHeld = false
      inFlight--
      if (ended) ended(outcome, time.now())
      serve()
    }
  }

  /** Gives the places that are free to those who wait, and tells that something has changed. */
  function serve(): void {
    while (room.size() > 0 && inFlight < current()) room.next()!.grant()
    listeners.notify()
  }

  /** Calls `start` with a place, now or later, or else `reject`. */
  function enter(
    { signal, timeoutMs = Infinity }: AcquireOptions,
    start: (release: Release) => void,
    reject: (reason: unknown) => void,
  ): void {
    checkFrom(0, 'timeoutMs', timeoutMs)
    throwIfAborted(signal)

    function refuse(code: RateLimitErrorCode): void {
      denied++
      reject(new RateLimitError(code, `Not waited for: ${code}`, Infinity))
      listeners.notify()
    }
    if (isDisposed) refuse('disposed')
    else if (isFree()) {
      start(take())
      listeners.notify()
    } else if (room.size() >= maxQueue) refuse('queue-full')
    else if (timeoutMs === 0) refuse('wait-too-long')
    else {
      const waiter = {
        grant: () => (isDisposed ? refuse('disposed') : start(take())),
        expire: () => refuse('wait-too-long'),
        abort() {
          reject(reasonOf(signal!))
          listeners.notify()
        },
      }
      room.join(waiter, { signal, timeoutMs })
      listeners.notify()
    }
  }

  function configure(changes: ConcurrencyChanges): void {
    const { limit: newLimit = limit, maxQueue: newMaxQueue = maxQueue } = changes
    checkFrom(1, 'limit', typeof newLimit === 'object' ? newLimit.current : newLimit)
    checkFrom(0, 'maxQueue', newMaxQueue)
    limit = newLimit
    maxQueue = newMaxQueue
    serve()
  }

  configure(options)
  return {
    tryAcquire() {
      const release = isFree() ? take() : undefined
      if (!release) denied++
      listeners.notify()
      return release
    },
    acquire: (options = {}) => new Promise((resolve, reject) => enter(options, resolve, reject)),
    run: (task, options = {}) =>
      new Promise((resolve, reject) => {
        const { signal } = options
        const start = (release: Release): void => {
          const running = (async () => task(signal))()
          running.then(
            () => release(),
            (error: unknown) => release(outcomeOf(error, signal)),
          )
          untilAborted(running, signal).then(resolve, reject)
        }
        enter(options, start, reject)
      }),
    configure,
    snapshot() {
      const shown = { limit: current(), inFlight, waiting: room.size(), allowed, denied }
      const key = String(Object.values(shown))
      if (last && key === lastKey) return last
      lastKey = key
      return (last = Object.freeze(shown))
    },
    subscribe: listeners.subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      while (room.size() > 0) room.next()!.grant()
      listeners.notify()
    },
  }
}
