import { reasonOf } from './abort.ts'
import { checkFunction } from './check.ts'
import { onAbort } from './on-abort.ts'
import type { QueueAddOptions, QueueTask } from './queue-types.ts'
import { checkFrom } from './rules/check-number.ts'

/** A task that was added to a queue, until its promise is settled. */
export interface QueuedTask {
  readonly signal: AbortSignal | undefined
  readonly priority: number
  readonly timeoutMs: number
  readonly cost: number
  readonly key: unknown
  /** Runs it. `onEnd` is told later, when it has ended, before anybody hears of it. */
  run: (onEnd: () => void) => void
  /** Settles the promise without a run. Nobody need listen to that. */
  reject: (reason: unknown) => void
}

/** @param onAborted told when the signal has aborted, and the promise is settled. */
export function createQueuedTask<Result>(
  task: QueueTask<Result>,
  { signal, priority = 0, timeoutMs = Infinity, cost = 1, key }: QueueAddOptions,
  onAborted: (queued: QueuedTask) => void,
): [Promise<Result>, QueuedTask] {
  checkFunction('task', task)
  checkFrom(-Infinity, 'priority', priority)
  checkFrom(0, 'timeoutMs', timeoutMs)
  checkFrom(0, 'cost', cost)

  let resolve: (value: Result) => void
  let rejectPromise: (reason: unknown) => void
  const promise = new Promise<Result>((...settle) => ([resolve, rejectPromise] = settle))

  const queued: QueuedTask = {
    signal,
    priority,
    timeoutMs,
    cost,
    key,
    run(onEnd) {
      const settle =
        <Value>(how: (value: Value) => void) =>
        (value: Value): void => {
          stopListening?.()
          how(value)
          onEnd()
        }
      new Promise<Result>((done) => done(task(signal ?? new AbortController().signal))).then(
        settle(resolve),
        settle(rejectPromise),
      )
    },
    reject(reason) {
      stopListening?.()
      promise.catch(() => undefined)
      rejectPromise(reason)
    },
  }

  const stopListening =
    signal &&
    onAbort(signal, () => {
      queued.reject(reasonOf(signal))
      onAborted(queued)
    })
  return [promise, queued]
}
