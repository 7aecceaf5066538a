import type { Limiter } from '../limit/limiter.ts'
import { abortError, onAbort, reasonOf } from '../shared/abort.ts'
import { check } from '../shared/check.ts'
import { adviseOnChoices, adviseOnMade, adviseOnOptions, adviseOnType } from '../shared/develop.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { createStore, type Observable } from '../shared/store.ts'
import { createAlarm } from '../time/alarm.ts'
import { LONGEST_MS, systemTimers, type Timers } from '../time/clock.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { isIn, put, remove, type HeapEntry } from './heap.ts'

/** A task of a queue. `signal` is the one given to `add`, or else one that never aborts. */
export type QueueTask<Result> = (signal: AbortSignal) => Result | PromiseLike<Result>

/**
 * The task to refuse when the queue is full. `reject-new`: the new one. `drop-oldest`, `drop-newest`: the oldest or newest of the
 * waiting tasks with the lowest priority, in O(n); or the new one if its priority is lower still.
 */
export type QueueOverflow = 'reject-new' | 'drop-oldest' | 'drop-newest'

/** The options of `configure`. Omitted options keep their value. */
export interface QueueChanges {
  /** Maximum number of running tasks, or the maximum sum of their weights; at least 1. @default Infinity */
  concurrency?: number | undefined
  /**
   * Maximum number of waiting tasks, at least 0. Further tasks are refused. Lowering it removes no waiting task.
   *
   * With a limiter of burst 1 (the leaky bucket as a queue), a task that starts at once counts as waiting until the tick ends: of
   * thirty tasks added together at a capacity of 20, 20 are accepted. @default Infinity
   */
  capacity?: number | undefined
}

export interface QueueOptions extends QueueChanges {
  /** A task starts when this limiter allows its cost. It may be shared with other queues and callers. @default none */
  limiter?: Pick<Limiter, 'clock' | 'peek' | 'decide' | 'snapshot' | 'subscribe'> | undefined
  /** @default 'reject-new' */
  overflow?: QueueOverflow | undefined
  /** Waiting time in ms that raises a task by one priority level; above 0. @default 10_000 */
  ageingMs?: number | undefined
  /** @default the limiter's, or systemClock */
  clock?: Timers | undefined
}

export interface QueueAddOptions {
  /** Aborting it removes a waiting task from the queue. A running task receives it as its `signal`. */
  signal?: AbortSignal | undefined
  /** Higher first; equal ones in order of arrival. @default 0 */
  priority?: number | undefined
  /** Maximum wait for the start, in ms, at least 0. It does not limit the run. Above 2 · 10^9 no timer ends it. @default Infinity */
  timeoutMs?: number | undefined
  /** What the task takes from the limiter when it starts, at least 0. @default 1 */
  cost?: number | undefined
  /**
   * How much of `concurrency` the task takes while it runs, from 0 to `concurrency`. If the next task is too heavy to start, lighter
   * ones behind it wait too. If `concurrency` falls below the weight, the task runs alone. @default 1
   */
  weight?: number | undefined
}

/** The state of a queue. The same object while nothing has changed. */
export interface QueueSnapshot {
  /** The number of waiting tasks. */
  readonly size: number
  readonly running: number
  readonly concurrency: number
  readonly capacity: number
  /** Whether `pause` is in effect. */
  readonly isPaused: boolean
  /** Whether the next task waits for the limiter. */
  readonly isLimited: boolean
  /** The clock's instant at which `pauseFor` ends; undefined without a pause. It may be past until the next task is added. */
  readonly pausedUntil: number | undefined
  /** The number of started tasks. */
  readonly started: number
  /** The number of tasks that were refused, were dropped or waited too long, but not of those aborted, cleared or disposed of. */
  readonly refused: number
}

/** A queue of tasks. Its methods are bound: they work without the object. */
export interface Queue extends Observable<QueueSnapshot> {
  /**
   * Runs `task` when its turn comes, in this tick if that is now, and settles as it does. With n waiting tasks, `add` and an abort
   * take O(log n).
   *
   * Rejects with a `RateLimitError`: at once if the queue is full (code 'queue-full') or disposed of ('disposed'), or if the
   * limiter never allows the cost, or the limiter or a `pauseFor` would make it wait longer than `timeoutMs` ('wait-too-long');
   * later if another task drops it ('queue-full') or that time is over. Rejects with `signal.reason` in the tick of its abort: a
   * waiting task never starts; a running one keeps its slot until it has ended. If ignored, these rejections cause no unhandled
   * rejection, but errors of the task do. Rejects with a TypeError or RangeError for invalid arguments.
   */
  add: <Result>(task: QueueTask<Result>, options?: QueueAddOptions) => Promise<Result>
  /** Nothing starts until `resume`. */
  pause: () => void
  /** Ends `pause`; a `pauseFor` continues. */
  resume: () => void
  /**
   * Nothing starts for `ms`, at least 0. For a server that has asked one task to wait. A new task with a shorter `timeoutMs` is
   * refused at once. Of several pauses, the one that ends last is used. @throws RangeError if `ms` is below 0 or NaN.
   */
  pauseFor: (ms: number) => void
  /** Rejects all waiting tasks with an AbortError. Running tasks continue. */
  clear: () => void
  /** Resolves when nothing waits or runs: at once if that is so now. */
  onIdle: () => Promise<void>
  /** Changes the limits. Running tasks continue. @throws RangeError as the creation does, and then changes nothing */
  configure: (changes: QueueChanges) => void
  /** The number of waiting tasks. */
  readonly size: number
  readonly running: number
  /** Rejects all waiting tasks, and tasks added later. Running tasks continue. */
  [Symbol.dispose]: () => void
}

/** A task from `add` until its promise settles. Instants are in forward time. */
interface QueuedTask extends HeapEntry {
  readonly run: QueueTask<unknown>
  readonly signal: AbortSignal | undefined
  readonly priority: number
  readonly timeoutMs: number
  readonly cost: number
  readonly weight: number
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  promise: Promise<unknown>
  stopListening: (() => void) | undefined
  stopTimer: (() => void) | undefined
  readonly deadline: number
}

/**
 * Creates a queue that runs tasks as `limiter` allows them, at most `concurrency` at a time, the most urgent first. With
 * `gcra({ ratePerSecond, burst: 1 })` it is the leaky bucket as a queue: two starts are never closer than 1 / rate.
 *
 * A task takes from the limiter when it starts, not before. Callers that wait at the limiter itself go first. Queues that share a
 * limiter take turns. Keeps a timer only while a task waits for time to pass.
 *
 * @throws RangeError for an option that is out of range.
 * @see https://en.wikipedia.org/wiki/Leaky_bucket#As_a_queue
 */
export function createQueue(options: QueueOptions = {}): Queue {
  adviseOnOptions('createQueue', options)
  const {
    limiter,
    clock = limiter?.clock ?? systemTimers,
    overflow = 'reject-new',
    ageingMs = 10_000,
  } = options
  adviseOnMade('createQueue: limiter', limiter, 'peek', 'createLimiter or createWaitingLimiter', !limiter)
  adviseOnChoices({ overflow: [overflow, 'reject-new', 'drop-oldest', 'drop-newest'] })
  check(ageingMs > 0, 'ageingMs > 0', ageingMs)
  const time = createForwardTime(clock)
  const alarm = createAlarm(clock, () => {
    const dueAt = wakesAt
    wakesAt = Infinity
    serve(dueAt)
  })
  /** A heap of the waiting tasks. */
  const turns: QueuedTask[] = []
  // New tasks that did not start at once and are yet to be admitted or refused, in order of arrival.
  let incoming: QueuedTask[] = []
  let concurrency = Infinity
  let capacity = Infinity
  let running = 0
  // The sum of the weights of the running tasks.
  let used = 0
  let isPaused = false
  let pausedUntil = -Infinity
  let added = 0
  let started = 0
  let refused = 0
  /** What new tasks reject with after the queue was disposed of. */
  let over: RateLimitError | undefined
  let isServing = false
  // A signal that never aborts. It is expensive to create, but keeps its listeners alive, so only four tasks share one, or 32 tasks
  // that take no signal.
  let spare: AbortSignal | undefined
  let shares = 0
  // 1 if a task that started in this tick counts as waiting until the tick ends, else 0.
  let dripping = 0
  let wakesAt = Infinity
  // Set while the next task waits for the limiter.
  let unsubscribe: (() => void) | undefined

  const { snapshot, subscribe, notify } = createStore<QueueSnapshot>(() => ({
    size: turns.length,
    running,
    concurrency,
    capacity,
    isPaused,
    isLimited: !!unsubscribe,
    pausedUntil: pausedUntil > -Infinity ? time.toClock(pausedUntil) : undefined,
    started,
    refused,
  }))

  const errorOf = (code: RateLimitErrorCode, retryAfterMs = Infinity): RateLimitError =>
    new RateLimitError(code, `Task refused: ${code}`, retryAfterMs)

  function leave(task: QueuedTask): boolean {
    task.stopTimer?.()
    return remove(turns, task)
  }

  /** Refuses `task`, which did not start at once, if it would wait too long. Refuses it or another if the queue is too full. */
  function admit(task: QueuedTask, now: number, nextMs: number): void {
    const { timeoutMs, cost } = task
    const limitMs = limiter?.peek(cost).retryAfterMs ?? 0
    const waitMs = Math.max(limitMs, pausedUntil - now)
    if (waitMs > timeoutMs || limitMs === Infinity || !timeoutMs)
      return refuse(task, 'wait-too-long', waitMs || Infinity)
    // Newer tasks do not count yet.
    if (turns.length - incoming.length + dripping <= capacity) return
    let victim = task
    if (overflow !== 'reject-new')
      for (const other of turns) {
        if (other.number >= task.number || other.priority > victim.priority) continue
        const isLower = other.priority < victim.priority || victim === task
        if (isLower || other.number < victim.number === (overflow === 'drop-oldest')) victim = other
      }
    // The instant may be now or past, by rounding or with a clock that stands still.
    refuse(victim, 'queue-full', nextMs > 0 ? nextMs : 1)
  }

  /** Rejects `task`, which does not start. */
  function drop(task: QueuedTask, reason: unknown): void {
    leave(task)
    task.stopListening?.()
    // Then an ignored promise causes no unhandled rejection.
    task.promise.catch(() => undefined)
    task.reject(reason)
  }

  function refuse(task: QueuedTask, code: RateLimitErrorCode, retryAfterMs?: number): void {
    refused++
    drop(task, errorOf(code, retryAfterMs))
  }

  async function start(task: QueuedTask): Promise<void> {
    // A listener of the limiter may have ended it.
    if (!leave(task)) return
    running++
    used += task.weight
    started++
    try {
      if ((shares -= task.run.length ? 8 : 1) < 0) {
        shares = 31
        spare = new AbortController().signal
      }
      task.resolve(await task.run(task.signal ?? spare!))
    } catch (error) {
      task.reject(error)
    }
    task.stopListening?.()
    used = --running && used - task.weight
    serve()
  }

  /** Takes the cost of `task` from the limiter. Returns 0, or the ms until the next try. */
  function take({ cost }: QueuedTask, dueAt: number): number {
    if (!limiter) return 0
    const isDue = unsubscribe && dueAt > -Infinity
    // A peek is not counted as a refusal, but only a decision sets a limiter back with its clock.
    let decision = limiter.peek(cost)
    if (decision.allowed || isDue) decision = limiter.decide(cost)
    if (!decision.allowed && isDue && dueAt > time.now())
      decision = limiter.decide(cost, limiter.clock.now() + decision.retryAfterMs)
    if (decision.allowed) rest()
    else unsubscribe ??= limiter.subscribe(serve)
    return decision.retryAfterMs
  }

  /** Ends the subscription to the limiter. A queue that had its turn subscribes again later, behind the others. */
  function rest(): void {
    unsubscribe?.()
    unsubscribe = undefined
  }

  /**
   * Starts tasks that may start, refuses tasks that waited too long, and sets the timer for the rest. `dueAt` is the instant of the
   * timer that has fired: it has come, even if the clock stands still.
   */
  function serve(dueAt = -Infinity): void {
    // No recursion: the loop below also starts the tasks that a starting task adds.
    if (isServing) return
    isServing = true
    for (;;) {
      const now = Math.max(time.now(), dueAt)
      if (now >= pausedUntil) pausedUntil = -Infinity
      const first = turns[0]
      // Tasks that share an aborted signal are removed from the last to the first. The others must not start meanwhile.
      const isHeld =
        !first || isPaused || (running && used + first.weight > concurrency) || first.signal?.aborted
      const heldUntil = isHeld ? Infinity : pausedUntil
      const isLate = first && first.deadline < now
      const waitMs = isLate ? Infinity : heldUntil > now ? undefined : take(first!, dueAt)
      // A listener of the limiter may have paused the queue.
      if (waitMs === 0 && !isPaused && pausedUntil <= now) void start(first!)
      else if (waitMs === Infinity) refuse(first!, 'wait-too-long')
      else {
        let nextAt = heldUntil
        if (waitMs === undefined) rest()
        // A shorter wait could be lost by rounding, and the timer come again and again.
        else nextAt = time.now() + Math.max(waitMs, 1e-3)
        if (incoming[0]) incoming = incoming.filter((task) => isIn(turns, task)).reverse()
        for (let task; (task = incoming.pop());) admit(task, now, nextAt - now)
        if (first !== turns[0]) continue
        // A new timer instead of a pushed one, so that a queue that lost its turn to another is first the next time.
        if (nextAt !== wakesAt) {
          alarm.clear()
          alarm.set(time.toClock((wakesAt = nextAt)))
        }
        break
      }
    }
    isServing = false
    notify()
  }

  function configure(changes: QueueChanges): void {
    const { concurrency: slots = concurrency, capacity: places = capacity } = changes
    check(slots >= 1, 'concurrency >= 1', slots)
    check(places >= 0, 'capacity >= 0', places)
    concurrency = slots
    capacity = places
    serve()
  }

  function clear(reason: unknown): void {
    while (turns[0]) drop(turns[0], reason)
    serve()
  }

  configure(options)
  return {
    add<Result>(
      run: QueueTask<Result>,
      { signal, priority = 0, timeoutMs = Infinity, cost = 1, weight = 1 }: QueueAddOptions = {},
    ) {
      let task: QueuedTask | undefined
      const promise = new Promise<Result>((resolve, reject) => {
        adviseOnType('function', 'a function task', run, TypeError)
        check(priority >= -Infinity, 'priority >= -Infinity', priority)
        check(timeoutMs >= 0, 'timeoutMs >= 0', timeoutMs)
        check(weight >= 0, 'weight >= 0', weight)
        check(cost >= 0, 'cost >= 0', cost, TypeError)
        // An infinite weight could not be subtracted again.
        check(weight <= concurrency && weight < Infinity, 'finite weight <= concurrency', weight)
        const now = time.now()
        // With 0 the task starts at once or never, whatever the clock reads by then.
        task = {
          run,
          signal,
          priority,
          timeoutMs,
          cost,
          weight,
          resolve,
          reject,
          deadline: now + (timeoutMs || Infinity),
          // All tasks age at the same rate, so their order does not change while they wait.
          rank: now / ageingMs - priority,
          number: added++,
        } as QueuedTask
      })
      if (!task) return promise
      task.promise = promise
      if (over) drop(task, over)
      else if (signal?.aborted) drop(task, reasonOf(signal))
      else {
        if (signal)
          task.stopListening = onAbort(signal, (reason) => {
            drop(task!, reason)
            serve()
          })
        const before = started
        incoming.push(task)
        put(turns, task, turns.length)
        serve()
        if (timeoutMs <= LONGEST_MS && isIn(turns, task))
          task.stopTimer = clock.after(timeoutMs, () => {
            serve()
            if (isIn(turns, task!)) refuse(task!, 'wait-too-long', wakesAt - time.now())
            serve()
          })
        if (started > before && capacity < Infinity && limiter && limiter.snapshot().burst <= 1) {
          dripping = 1
          void Promise.resolve().then(() => (dripping = 0))
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
      check(ms >= 0, 'ms >= 0', ms)
      pausedUntil = Math.max(pausedUntil, time.now() + ms)
      serve()
    },
    clear: () => clear(abortError('Queue cleared')),
    onIdle: () =>
      new Promise((resolve) => {
        const stop = subscribe(look)
        function look(): void {
          if (running + turns.length) return
          stop()
          resolve()
        }
        look()
      }),
    configure,
    get size() {
      return turns.length
    },
    get running() {
      return running
    },
    snapshot,
    subscribe,
    [Symbol.dispose]() {
      clear((over = errorOf('disposed')))
    },
  }
}
