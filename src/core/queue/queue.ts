import { leastWaitMs } from '../limit/least-wait.ts'
import type { Limiter } from '../limit/limiter-types.ts'
import { aboveZero, SLACK_MS } from '../limit/rules/rule.ts'
import { abortError, onAbort, reasonOf } from '../shared/abort.ts'
import { checkAbove, checkFrom, checkFunction, checkOneOf } from '../shared/check.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { createStore } from '../shared/store.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import { createTimer } from '../time/timer.ts'
import { createOrderedQueue } from './ordered-queue.ts'

/** What a queue runs. `signal` is the one given to `add`; if none was, one that never aborts. */
export type QueueTask<Result> = (signal: AbortSignal) => Result | PromiseLike<Result>

/**
 * Which task is refused when one comes to a full queue. `reject-new`: that one. `drop-oldest`, `drop-newest`: the one waiting
 * that came first, or last, of the lowest priority among them; the new one if its own priority is lower still.
 * `replace-same-key`: the one with the same `key` that came last, and the new one gets its turn; the new one if there is none.
 */
export type QueueOverflow = 'reject-new' | 'drop-oldest' | 'drop-newest' | 'replace-same-key'

/** What can be changed of a queue: what is absent, or undefined, stays. */
export interface QueueChanges {
  /** The most tasks that run at a time, from 1. @default Infinity */
  concurrency?: number | undefined
  /**
   * The most tasks that wait, from 0: then what cannot start at once is refused. Tasks that wait already stay.
   *
   * With a limiter that lets one go at a time (a burst of 1: the leaky bucket as a queue), a task that starts at once keeps
   * its place until the tick ends: of thirty that come together to a capacity of 20, 20 are accepted. @default Infinity
   */
  capacity?: number | undefined
}

export interface QueueOptions extends QueueChanges {
  /** A task starts when this allows its cost. Several queues, and others, may share one. @default none */
  limiter?: Pick<Limiter, 'clock' | 'peek' | 'decide' | 'snapshot' | 'subscribe'> | undefined
  /** @default 'reject-new' */
  overflow?: QueueOverflow | undefined
  /** A task that has waited for so many ms is as urgent as a new one of the next higher priority; above 0. @default 10_000 */
  ageingMs?: number | undefined
  /** @default the limiter's, or systemClock */
  clock?: Clock | undefined
}

export interface QueueAddOptions {
  /** Aborting it removes the task from the queue, or reaches it by its own signal if it runs. */
  signal?: AbortSignal | undefined
  /** Higher first; first come, first served among equals. @default 0 */
  priority?: number | undefined
  /** The longest wait for the start, in ms, from 0; how long it runs then is up to the task. @default Infinity */
  timeoutMs?: number | undefined
  /** What it takes of the limiter when it starts, from 0. @default 1 */
  cost?: number | undefined
  /** Tasks with the same key (as in a Map) do the same, for `replace-same-key`. @default none: it is like no other */
  key?: unknown
}

/** What a queue looks like. The same object as long as nothing changed. */
export interface QueueSnapshot {
  /** How many tasks wait. */
  readonly size: number
  readonly running: number
  readonly concurrency: number
  readonly capacity: number
  /** Whether by `pause`. */
  readonly isPaused: boolean
  /** The clock's instant until which `pauseFor` holds, or held: undefined at the latest when a task has come after it. */
  readonly pausedUntil: number | undefined
  /** How many tasks have been started. */
  readonly started: number
  /** How many were refused, dropped or waited too long. Those aborted, cleared or disposed of are not counted. */
  readonly refused: number
}

/** Runs tasks at the pace of a limiter. Its methods are bound, so they may be taken off it. */
export interface Queue {
  /**
   * Runs `task` when its turn has come, in this tick if that is now, and settles as it does. O(log n) with n that wait, as an
   * abort is.
   *
   * Rejects with a `RateLimitError`: at once if the queue is full (code 'queue-full') or disposed of ('disposed'), if the
   * limiter never allows the cost, or makes it wait longer than `timeoutMs` as things stand ('wait-too-long'); later if
   * another task drops it ('queue-full') or that time is over. Rejects with `signal.reason` in the tick in which that
   * aborts: if the task waits it never starts, if it runs it holds its place until it has ended. Such a rejection may be
   * ignored without a report; what the task itself throws may not. Rejects with a TypeError or RangeError for bad arguments.
   */
  add: <Result>(task: QueueTask<Result>, options?: QueueAddOptions) => Promise<Result>
  /** Nothing starts until `resume`. */
  pause: () => void
  /** Ends `pause`; a `pauseFor` goes on. */
  resume: () => void
  /**
   * Nothing starts for `ms`, from 0, and nothing is refused for it: when the server has asked one task to wait, the others
   * need not ask. Of several pauses the last to end counts. @throws RangeError for one below 0 or NaN.
   */
  pauseFor: (ms: number) => void
  /** Rejects all that wait with an AbortError. What runs goes on. */
  clear: () => void
  /** Resolves when nothing waits and nothing runs: at once, if that is so now. */
  onIdle: () => Promise<void>
  /** Other limits from now on. What runs goes on. @throws RangeError as the creation does; nothing is changed then. */
  configure: (changes: QueueChanges) => void
  /** How many tasks wait. */
  readonly size: number
  readonly running: number
  snapshot: () => QueueSnapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
  /** Rejects all that wait, and what is added from now on. What runs goes on. */
  [Symbol.dispose]: () => void
}

/** A task from `add` until its promise settles. Instants are by the forward time. */
interface QueuedTask {
  readonly run: QueueTask<unknown>
  readonly signal: AbortSignal | undefined
  readonly priority: number
  readonly cost: number
  readonly key: unknown
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  stopListening: (() => void) | undefined
  /** Tasks are numbered as they come. One that replaces another takes over its number and instant. */
  arrival: number
  since: number
  /** The order of turns: all tasks age alike, so it never changes while they wait. */
  rank: number
  deadline: number
  /** It starts in this tick, and takes no place of the capacity. */
  isStarting: boolean
}

/**
 * Runs tasks one after the other as `limiter` allows them, at most `concurrency` at a time; the most urgent first. With
 * `gcra({ ratePerSecond, burst: 1 })` it is the leaky bucket as a queue: two starts are never closer than 1 / rate, and no
 * task waits longer than capacity / rate.
 *
 * A task takes of the limiter when it starts, not before. Callers that wait at the limiter itself go first; queues that share
 * one take turns. One timer, only while a task waits for time to pass.
 *
 * @throws RangeError for an option that is out of range.
 * @see https://en.wikipedia.org/wiki/Leaky_bucket#As_a_queue
 */
export function createQueue({
  limiter,
  clock = limiter?.clock ?? systemClock,
  overflow = 'reject-new',
  ageingMs = 10_000,
  ...limits
}: QueueOptions = {}): Queue {
  checkOneOf(['reject-new', 'drop-oldest', 'drop-newest', 'replace-same-key'], 'overflow', overflow)
  checkAbove(0, 'ageingMs', ageingMs)
  const timer = createTimer(clock, () => serve(true))
  const turns = createOrderedQueue<QueuedTask>((a, b) =>
    a.rank === b.rank ? a.arrival < b.arrival : a.rank < b.rank,
  )
  const deadlines = createOrderedQueue<QueuedTask>((a, b) => a.deadline < b.deadline)
  // In the order in which they have to go for others.
  const victims = createOrderedQueue<QueuedTask>((a, b) =>
    overflow === 'drop-oldest' ? a.priority < b.priority : a.priority <= b.priority,
  )
  const byKey = new Map<unknown, QueuedTask>()
  const idlers: (() => void)[] = []
  let concurrency = Infinity
  let capacity = Infinity
  let running = 0
  let isPaused = false
  let pausedUntil = -Infinity
  let started = 0
  let refused = 0
  let isDisposed = false
  let isServing = false
  /** When the timer is due, and when to ask the limiter again. */
  let wakesAt = Infinity
  let asksAt = Infinity
  let stopListening: (() => void) | undefined
  let arrivals = 0
  /** How many of those that wait start in this tick. */
  let starting = 0
  /** A task has started in this tick that keeps its place until the tick ends. */
  let isDripping = false
  /** What those that wait cost together, and the most that one of them has ranked. */
  let totalCost = 0
  let lastRank = -Infinity

  const { snapshot, subscribe, notify } = createStore<QueueSnapshot>(() => ({
    size: turns.size(),
    running,
    concurrency,
    capacity,
    isPaused,
    pausedUntil: pausedUntil > -Infinity ? timer.toClock(pausedUntil) : undefined,
    started,
    refused,
  }))

  const rankOf = (priority: number, since: number): number => since / ageingMs - priority
  const isIdle = (): boolean => running + turns.size() === 0

  function enter(task: QueuedTask, timeoutMs: number): void {
    const now = timer.now()
    task.since = now
    const rank = rankOf(task.priority, now)
    const costBefore = timeoutMs < Infinity && rank >= lastRank ? totalCost : 0
    const limitMs = limiter ? leastWaitMs(limiter, costBefore, task.cost) : 0
    const waitMs = Math.max(limitMs, pausedUntil - now, 0)
    // What waits while one starts may be about to start too.
    const isNext = turns.size() === 0 || isServing
    task.isStarting = isNext && waitMs === 0 && !isPaused && running + turns.size() < concurrency
    if (waitMs > timeoutMs + SLACK_MS || limitMs === Infinity || (timeoutMs === 0 && !task.isStarting))
      return refuse(task, 'wait-too-long', waitMs || Infinity)

    task.arrival = arrivals++
    task.deadline = task.isStarting ? Infinity : now + timeoutMs
    const dripping = isDripping && limiter!.snapshot().burst <= 1 ? 1 : 0
    if (!task.isStarting && turns.size() - starting + dripping >= capacity) {
      const victim = victimOf(task)
      refuse(victim, 'queue-full', aboveZero(wakesAt - now))
      if (victim === task) return
      if (overflow === 'replace-same-key')
        Object.assign(task, { arrival: victim.arrival, since: victim.since })
    }
    task.rank = rankOf(task.priority, task.since)
    turns.add(task)
    if (task.deadline < Infinity) deadlines.add(task)
    if (overflow.startsWith('drop')) victims.add(task)
    if (task.key !== undefined) byKey.set(task.key, task)
    if (task.isStarting) starting++
    totalCost += task.cost
    lastRank = Math.max(lastRank, task.rank)
  }

  function victimOf(task: QueuedTask): QueuedTask {
    if (overflow === 'replace-same-key') return byKey.get(task.key) ?? task
    const victim = victims.first()
    return victim && victim.priority <= task.priority ? victim : task
  }

  /** Removes `task` from wherever it waits. */
  function leave(task: QueuedTask): void {
    if (!turns.remove(task)) return
    deadlines.remove(task)
    victims.remove(task)
    if (byKey.get(task.key) === task) byKey.delete(task.key)
    if (task.isStarting) starting--
    totalCost -= task.cost
    if (turns.size() > 0) return
    totalCost = 0
    lastRank = -Infinity
  }

  /** Rejects `task`, which does not run. */
  function drop(task: QueuedTask, reason: unknown): void {
    leave(task)
    task.stopListening?.()
    // Ignoring that is safe.
    task.promise.catch(() => undefined)
    task.reject(reason)
  }

  function refuse(task: QueuedTask, code: RateLimitErrorCode, retryAfterMs = Infinity): void {
    refused++
    drop(task, new RateLimitError(code, `Not run: ${code}`, retryAfterMs))
  }

  function start(task: QueuedTask): void {
    leave(task)
    running++
    started++
    const end =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        task.stopListening?.()
        settle(value)
        running--
        serve()
      }
    new Promise((resolve) => resolve(task.run(task.signal ?? new AbortController().signal))).then(
      end(task.resolve),
      end(task.reject),
    )
  }

  /** Takes `cost` of the limiter. Returns 0, or ms until it is worth asking again. */
  function take(cost: number, isWoken: boolean): number {
    if (!limiter) return 0
    const at = limiter.clock.now() + timer.aheadMs()
    let decision = limiter.peek(cost, at)
    // A look counts as no refusal, but only a request moves a limiter on whose clock was set back.
    if (decision.allowed || isWoken) decision = limiter.decide(cost, at)
    if (decision.allowed) rest()
    else stopListening ??= limiter.subscribe(serve)
    return decision.retryAfterMs
  }

  /** Asks nothing of the limiter. A queue that had its turn subscribes anew, behind the others. */
  function rest(): void {
    stopListening?.()
    stopListening = undefined
    asksAt = Infinity
  }

  /** Starts what may start, refuses what has waited too long, and sets the timer for the rest. */
  function serve(isWoken = false): void {
    // What a task adds when it starts is served by the loop, not by a call in a call in a call.
    if (isServing) return
    isServing = true
    for (;;) {
      const now = timer.now()
      if (now >= pausedUntil) pausedUntil = -Infinity
      const first = turns.first()
      const late = deadlines.first()
      const deadline = late?.deadline ?? Infinity
      // Of tasks that share a signal, some have not heard yet that it has aborted.
      if (first?.signal?.aborted) drop(first, reasonOf(first.signal))
      else {
        const isHeld = !first || isPaused || running >= concurrency || now < pausedUntil || deadline < now
        const waitMs = isHeld ? undefined : take(first.cost, isWoken && now >= asksAt)
        if (waitMs === 0) start(first!)
        else if (waitMs === Infinity) refuse(first!, 'wait-too-long')
        else if (late && deadline <= now) refuse(late, 'wait-too-long', waitMs)
        else {
          if (waitMs === undefined) rest()
          else asksAt = timer.now() + waitMs
          wakesAt = Math.min(
            asksAt,
            deadline,
            first && !isPaused && pausedUntil > now && running < concurrency ? pausedUntil : Infinity,
          )
          timer.set(wakesAt)
          break
        }
      }
    }
    isServing = false
    notify()
    if (isIdle()) for (const resolve of idlers.splice(0)) resolve()
  }

  function configure(changes: QueueChanges): void {
    const { concurrency: slots = concurrency, capacity: places = capacity } = changes
    checkFrom(1, 'concurrency', slots)
    checkFrom(0, 'capacity', places)
    concurrency = slots
    capacity = places
    serve()
  }

  function clear(reason: unknown): void {
    for (const task of turns.all()) drop(task, reason)
    serve()
  }

  const disposed = (): RateLimitError => new RateLimitError('disposed', 'Not run: disposed', Infinity)

  configure(limits)
  return {
    add<Result>(run: QueueTask<Result>, options: QueueAddOptions = {}) {
      const { signal, priority = 0, timeoutMs = Infinity, cost = 1, key } = options
      const task = {} as QueuedTask
      const promise = new Promise<Result>((resolve, reject) => {
        checkFunction('task', run)
        checkFrom(-Infinity, 'priority', priority)
        checkFrom(0, 'timeoutMs', timeoutMs)
        checkFrom(0, 'cost', cost)
        Object.assign(task, { run, signal, priority, cost, key, resolve, reject })
      })
      if (!task.run) return promise
      Object.assign(task, { promise })
      if (isDisposed) drop(task, disposed())
      else if (signal?.aborted) drop(task, reasonOf(signal))
      else {
        if (signal)
          task.stopListening = onAbort(signal, () => {
            drop(task, reasonOf(signal))
            serve()
          })
        const before = started
        enter(task, timeoutMs)
        serve()
        if (limiter && capacity < Infinity && started > before) {
          isDripping = true
          void Promise.resolve().then(() => (isDripping = false))
        }
      }
      return promise
    },
    pause() {
      isPaused = true
      serve()
    },
    resume() {
      isPaused = false
      serve()
    },
    pauseFor(ms) {
      checkFrom(0, 'ms', ms)
      pausedUntil = Math.max(pausedUntil, timer.now() + ms)
      serve()
    },
    clear: () => clear(abortError('The queue was cleared')),
    onIdle: () => new Promise((resolve) => (isIdle() ? resolve() : idlers.push(resolve))),
    configure,
    get size() {
      return turns.size()
    },
    get running() {
      return running
    },
    snapshot,
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      clear(disposed())
    },
  }
}
