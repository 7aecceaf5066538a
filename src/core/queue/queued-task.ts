import { reasonOf } from '../shared/abort.ts'
import { checkFunction } from '../shared/check.ts'
import type { Heap, HeapItem } from './heap.ts'
import { onAbort } from '../shared/on-abort.ts'
import type { QueueAddOptions, QueueTask } from './queue-types.ts'
import { checkFrom } from '../limit/rules/check-number.ts'

/** A task that was added to a queue, until its promise is settled. Data alone: there may be very many in line. */
export interface QueuedTask<Result = unknown> extends HeapItem {
  readonly task: QueueTask<Result>
  readonly promise: Promise<Result>
  resolve(value: Result): void
  readonly reject: (reason: unknown) => void
  readonly signal: AbortSignal | undefined
  readonly priority: number
  readonly timeoutMs: number
  readonly cost: number
  readonly key: unknown
  /** In line: when it came and as which, when it has waited too long, and how urgent it is. `place` is that among the turns. */
  arrivedAt: number
  arrival: number
  deadline: number
  urgency: number
  /** Its places in the other orders that it is looked for in. */
  tickets: Ticket[] | undefined
  stopListening: (() => void) | undefined
}

export interface Ticket extends HeapItem {
  readonly task: QueuedTask
  readonly order: Heap<Ticket>
}

/** @param onAborted told when the signal has aborted, and the promise is settled. */
export function createQueuedTask<Result>(
  task: QueueTask<Result>,
  { signal, priority = 0, timeoutMs = Infinity, cost = 1, key }: QueueAddOptions,
  onAborted: (queued: QueuedTask) => void,
): QueuedTask<Result> {
  checkFunction('task', task)
  checkFrom(-Infinity, 'priority', priority)
  checkFrom(0, 'timeoutMs', timeoutMs)
  checkFrom(0, 'cost', cost)

  let resolve!: (value: Result) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<Result>((toResolve, toReject) => {
    resolve = toResolve
    reject = toReject
  })
  const queued: QueuedTask<Result> = {
    task,
    promise,
    resolve,
    reject,
    signal,
    priority,
    timeoutMs,
    cost,
    key,
    place: -1,
    arrivedAt: 0,
    arrival: 0,
    deadline: Infinity,
    urgency: 0,
    tickets: undefined,
    stopListening: undefined,
  }
  if (signal)
    queued.stopListening = onAbort(signal, () => {
      dropTask(queued, reasonOf(signal))
      onAborted(queued)
    })
  return queued
}

/** Runs it, with `signal` if it has none of its own. `onEnd` is told later, when it has ended, before anybody hears of it. */
export function runTask(queued: QueuedTask, signal: () => AbortSignal, onEnd: () => void): void {
  new Promise((done) => done(queued.task(queued.signal ?? signal()))).then(
    (value) => {
      queued.stopListening?.()
      queued.resolve(value)
      onEnd()
    },
    (reason: unknown) => {
      queued.stopListening?.()
      queued.reject(reason)
      onEnd()
    },
  )
}

/** Settles the promise without a run. Nobody need listen to that. */
export function dropTask({ promise, reject, stopListening }: QueuedTask, reason: unknown): void {
  stopListening?.()
  promise.catch(() => undefined)
  reject(reason)
}
