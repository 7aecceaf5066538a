import { abortError, reasonOf } from '../shared/abort.ts'
import { checkOneOf } from '../shared/check.ts'
import { systemTimers } from '../time/clock.ts'
import { RateLimitError } from '../shared/errors.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { createQueueEntrance } from './queue-entrance.ts'
import { createQueueLine } from './queue-line.ts'
import { createQueueServer, type QueueState } from './queue-server.ts'
import type { Queue, QueueChanges, QueueOptions, QueueSnapshot } from './queue-types.ts'
import { createQueuedTask, type QueuedTask } from './queued-task.ts'
import { checkAbove, checkFrom } from '../limit/rules/check-number.ts'
import { createWatchers } from '../shared/watchers.ts'

/**
 * Runs tasks one after the other as `limiter` allows them, at most `concurrency` at a time; the most urgent first. With
 * `gcra({ ratePerSecond, burst: 1 })` it is the leaky bucket as a queue: two starts are never closer than 1 / rate, and
 * nobody waits longer than capacity / rate.
 *
 * The limiter is asked when a task could start, and not before: what waits has taken nothing of it. Who stands in line at
 * the limiter goes first; queues that share one take turns. One timer, only while something waits for time to pass.
 *
 * @throws RangeError for an option that is out of range.
 * @see seed 001, "Leaky bucket as a queue"
 */
export function createQueue({
  limiter,
  clock = limiter?.clock ?? systemTimers,
  overflow = 'reject',
  ageingMs = 10_000,
  ...limits
}: QueueOptions = {}): Queue {
  checkOneOf(['reject', 'drop-oldest', 'drop-newest', 'replace-same-key'], 'overflow', overflow)
  checkAbove(0, 'ageingMs', ageingMs)
  const time = createForwardTime(clock)
  const line = createQueueLine(overflow, ageingMs)
  const { subscribe, notify } = createWatchers()
  const state: QueueState = {
    concurrency: Infinity,
    capacity: Infinity,
    running: 0,
    isPaused: false,
    pausedUntil: -Infinity,
    started: 0,
    refused: 0,
  }
  const server = createQueueServer(line, state, limiter, clock, time, () => {
    notify()
    if (isIdle()) for (const resolve of idlers.splice(0)) resolve()
  })
  const { serve, drop } = server
  const enter = createQueueEntrance(line, state, server, limiter, time)
  const idlers: (() => void)[] = []
  let isDisposed = false
  let last: QueueSnapshot | undefined
  let lastKey: string

  const disposed = (): RateLimitError => new RateLimitError('disposed', 'Not run: disposed', Infinity)
  const isIdle = (): boolean => state.running + line.size() === 0

  function configure(changes: QueueChanges): void {
    const { concurrency = state.concurrency, capacity = state.capacity } = changes
    checkFrom(1, 'concurrency', concurrency)
    checkFrom(0, 'capacity', capacity)
    Object.assign(state, { concurrency, capacity })
    serve()
  }

  function leave(task: QueuedTask): void {
    line.remove(task)
    serve()
  }

  function clear(reason: unknown): void {
    for (const task of line.all()) drop(task, reason)
    serve()
  }

  configure(limits)
  return {
    add(task, options = {}) {
      try {
        const queued = createQueuedTask(task, options, leave)
        if (isDisposed) drop(queued, disposed())
        else if (options.signal?.aborted) drop(queued, reasonOf(options.signal))
        else enter(queued)
        return queued.promise
      } catch (error) {
        return Promise.reject(error)
      }
    },
    pause() {
      state.isPaused = true
      serve()
    },
    resume() {
      state.isPaused = false
      serve()
    },
    pauseFor(ms) {
      checkFrom(0, 'ms', ms)
      state.pausedUntil = Math.max(state.pausedUntil, time.now() + ms)
      serve()
    },
    clear: () => clear(abortError('The queue was cleared')),
    onIdle: () => new Promise((resolve) => (isIdle() ? resolve() : idlers.push(resolve))),
    configure,
    get size() {
      return line.size()
    },
    get running() {
      return state.running
    },
    snapshot() {
      const { pausedUntil } = state
      const shown: QueueSnapshot = {
        ...state,
        pausedUntil: pausedUntil > -Infinity ? time.toClock(pausedUntil) : undefined,
        size: line.size(),
      }
      const key = String(Object.values(shown))
      if (last && key === lastKey) return last
      lastKey = key
      return (last = Object.freeze(shown))
    },
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      clear(disposed())
    },
  }
}
