import type { WaitOptions } from '../limit/waiting-limiter.ts'
import { onAbort, throwIfAborted, untilAborted, type AbortableTask } from '../shared/abort.ts'
import { check, checkType } from '../shared/check.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { createStore, type Observable } from '../shared/store.ts'
import { createAlarm } from '../time/alarm.ts'
import { systemTimers, type Timers } from '../time/clock.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { outcomeOf, type CallOutcome } from './call-outcome.ts'

/** A limit that adapts to the latencies of the calls. `gradientLimit` makes one. It serves one limiter. */
export interface AdaptiveLimit {
  /** The current maximum number of calls in flight. At least 1. Changes only when a call ends. */
  readonly current: number
  /**
   * Called when a call starts as number `inFlight` of those in flight, at the instant `now` in ms, which never goes back. The
   * function that it returns is called once, when the call ends.
   */
  started: (inFlight: number, now: number) => (outcome: CallOutcome, now: number) => void
}

/** The options that a concurrency limiter can change. Omitted options keep their value. */
export interface ConcurrencyChanges {
  /** Maximum number of calls in flight: at least 1, or a limit that adapts. */
  limit?: number | AdaptiveLimit | undefined
  /** Maximum number of waiting calls. Lowering it removes none. @default Infinity */
  maxQueue?: number | undefined
}

export interface ConcurrencyLimiterOptions extends ConcurrencyChanges {
  limit: number | AdaptiveLimit
  /** @default systemClock */
  clock?: Timers | undefined
}

/** Releases a slot; a second call does nothing. `outcome` is for limits that adapt. @default 'success' */
export type Release = (outcome?: CallOutcome) => void

/** The state of a concurrency limiter. The same object while nothing has changed. */
export interface ConcurrencySnapshot {
  readonly limit: number
  readonly inFlight: number
  readonly waiting: number
  /** Number of calls that got a slot. */
  readonly allowed: number
  /** Number of calls refused, or that waited too long; aborted waits are not counted. */
  readonly denied: number
}

/** Slots for calls in flight, first come, first served. */
export interface ConcurrencyLimiter extends Observable<ConcurrencySnapshot> {
  /** Returns the release of a slot if one is free and no call waits for it, else undefined. */
  tryAcquire: () => Release | undefined
  /**
   * Waits for a slot and resolves with its release.
   *
   * Rejects with a `RateLimitError`: at once if `maxQueue` calls wait already (code 'queue-full') or the limiter is disposed
   * of ('disposed'), after `timeoutMs` ('wait-too-long'). Rejects with `signal.reason` in the tick in which the signal aborts.
   */
  acquire: (options?: WaitOptions) => Promise<Release>
  /**
   * Runs `task` when it has a slot, in this tick if one is free, and settles as it does. While it waits, rejects as
   * `acquire` does. Once it runs, rejects with `signal.reason` in the tick in which the signal aborts, but keeps the slot
   * until the task, which receives the signal, has settled.
   */
  run: {
    <Result>(
      task: AbortableTask<Result, AbortSignal>,
      options: WaitOptions & { signal: AbortSignal },
    ): Promise<Result>
    <Result>(task: AbortableTask<Result>, options?: WaitOptions): Promise<Result>
  }
  /** Changes the limits. Calls in flight continue. @throws RangeError for the values that creation refuses. */
  configure: (changes: ConcurrencyChanges) => void
  /** Rejects all waiting calls, and `acquire` and `run` from now on. Calls in flight continue; `tryAcquire` works as before. */
  [Symbol.dispose]: () => void
}

interface Waiter {
  readonly start: (release: Release) => void
  readonly refuse: (code: RateLimitErrorCode) => void
}

/**
 * Limits the number of calls in flight, to a fixed number or to one that adapts to latencies and failures. O(1) per call.
 * Sets timers only for calls that wait with a `timeoutMs`.
 *
 * @throws RangeError for a `limit` below 1 or a `maxQueue` below 0.
 */
export function createConcurrencyLimiter({
  clock = systemTimers,
  ...options
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const time = createForwardTime(clock)
  const queue = new Set<Waiter>()
  // Advances with the first entry: a search from the beginning is slow when many have left.
  let turns: Iterator<Waiter, undefined>
  let first: Waiter | undefined
  let limit: number | AdaptiveLimit
  let maxQueue = Infinity
  let inFlight = 0
  let allowed = 0
  let denied = 0
  let isDisposed = false

  const { snapshot, subscribe, notify } = createStore<ConcurrencySnapshot>(() => ({
    limit: current(),
    inFlight,
    waiting: queue.size,
    allowed,
    denied,
  }))

  const current = (): number => (typeof limit === 'number' ? limit : limit.current)
  const isFree = (): boolean => !first && inFlight + 1 <= current()

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

  /** Gives free slots to waiting calls. */
  function serve(): void {
    while (first && !isDisposed && inFlight + 1 <= current()) first.start(take())
    notify()
  }

  /** Calls `start` with a slot, now or later, or else `reject`. */
  function enter(
    { signal, timeoutMs = Infinity }: WaitOptions,
    start: (release: Release) => void,
    reject: (reason: unknown) => void,
  ): void {
    check(timeoutMs >= 0, 'timeoutMs >= 0', timeoutMs)
    throwIfAborted(signal)
    const timeout = createAlarm(clock, () => waiter.refuse('wait-too-long'))
    let stopListening: (() => void) | undefined

    function leave(): void {
      if (queue.delete(waiter) && waiter === first) first = turns.next().value
      timeout.clear()
      stopListening?.()
    }

    const waiter: Waiter = {
      start(release) {
        leave()
        start(release)
      },
      refuse(code) {
        leave()
        denied++
        reject(new RateLimitError(code, `Wait refused: ${code}`, Infinity))
        notify()
      },
    }
    if (isDisposed) waiter.refuse('disposed')
    else if (isFree()) {
      start(take())
      notify()
    } else if (queue.size + 1 > maxQueue) waiter.refuse('queue-full')
    else if (timeoutMs === 0) waiter.refuse('wait-too-long')
    else {
      queue.add(waiter)
      if (!first) {
        turns = queue.values()
        first = turns.next().value
      }
      timeout.set(clock.now() + timeoutMs)
      stopListening =
        signal &&
        onAbort(signal, (reason) => {
          leave()
          reject(reason)
          notify()
        })
      notify()
    }
  }

  function configure(changes: ConcurrencyChanges): void {
    const { limit: newLimit = limit, maxQueue: newMaxQueue = maxQueue } = changes
    const first = (newLimit as AdaptiveLimit | null)?.current ?? (newLimit as number)
    check(first >= 1, 'limit >= 1', first)
    check(newMaxQueue >= 0, 'maxQueue >= 0', newMaxQueue)
    limit = newLimit
    maxQueue = newMaxQueue
    serve()
  }

  configure(options)
  return {
    tryAcquire() {
      const release = isFree() ? take() : undefined
      if (!release) denied++
      notify()
      return release
    },
    acquire: (options = {}) => new Promise((resolve, reject) => enter(options, resolve, reject)),
    run(task, options = {}) {
      return new Promise((resolve, reject) => {
        checkType('function', 'task', task)
        const { signal } = options
        const start = (release: Release): void => {
          const running = (async () => task(signal as never))()
          running.then(
            () => release(),
            (error: unknown) => release(outcomeOf(error, signal)),
          )
          untilAborted(running, signal).then(resolve, reject)
        }
        enter(options, start, reject)
      })
    },
    configure,
    snapshot,
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      while (first) first.refuse('disposed')
    },
  }
}
