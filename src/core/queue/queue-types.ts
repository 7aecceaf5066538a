import type { Timers } from '../time/clock.ts'
import type { Limiter } from '../limit/limiter.ts'

/** What a queue runs. `signal` aborts when the one given to `add` does; if none was, never, and another task may have the same. */
export type QueueTask<Result> = (signal: AbortSignal) => Result | PromiseLike<Result>

/**
 * Who goes when a task comes to a full queue. `reject`: that task. `drop-oldest`, `drop-newest`: the one of those waiting that
 * came first, or last, of the lowest priority among them; that task if its own priority is lower still.
 * `replace-same-key`: the one with the same `key` that came last, and the task gets its turn; that task if there is none.
 */
export type QueueOverflow = 'reject' | 'drop-oldest' | 'drop-newest' | 'replace-same-key'

/** What can be changed of a queue: what is absent, or undefined, stays. */
export interface QueueChanges {
  /** The most tasks that run at a time, from 1. @default Infinity */
  concurrency?: number | undefined
  /**
   * The most tasks that wait, from 0: then what cannot start at once is refused. Those who wait already stay.
   *
   * With a limiter that lets one go at a time (a burst of 1: the leaky bucket as a queue), a task that starts at once keeps
   * its place until the tick ends: of thirty that come together to a capacity of 20, 20 are accepted. @default Infinity
   */
  capacity?: number | undefined
}

export interface QueueOptions extends QueueChanges {
  /** A task starts when this allows its cost. Several queues, and others, may share one. @default none */
  limiter?: Pick<Limiter, 'clock' | 'peek' | 'decide' | 'snapshot' | 'subscribe'> | undefined
  /** @default 'reject' */
  overflow?: QueueOverflow | undefined
  /** A task that has waited for so many ms is as urgent as a new one of the next higher priority; above 0. @default 10_000 */
  ageingMs?: number | undefined
  /** @default the limiter's, or systemClock */
  clock?: Timers | undefined
}

export interface QueueAddOptions {
  /** Aborting it takes the task out of the queue, or reaches it by its own signal if it runs. */
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
   * Nothing starts for `ms`, from 0, and nobody is refused for it: when one task has been told by the server to wait, the
   * others need not ask. Of several pauses the last to end counts. @throws RangeError for one below 0 or NaN.
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
