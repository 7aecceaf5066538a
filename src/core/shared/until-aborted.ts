import { reasonOf } from './abort.ts'
import { onAbort } from './on-abort.ts'

/** Something to run, which may be told to stop. */
export type AbortableTask<Result> = (signal: AbortSignal | undefined) => Result | PromiseLike<Result>

/** Settles as `promise` does, or rejects with `signal.reason` in the tick in which `signal` aborts. */
export function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOf(signal))
    // The promise may have come of what aborted it.
    if (signal.aborted) abort()
    const stopListening = onAbort(signal, abort)
    promise.then(resolve, reject).finally(stopListening)
  })
}
