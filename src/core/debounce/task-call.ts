/** What became of a call. */
export type Outcome<Result> =
  | { status: 'done'; value: Result }
  /** A newer call took its place, before its run or during it; or, with the leading edge alone, the burst's first. */
  | { status: 'superseded' }
  /** By `cancel`, `dispose` or `signal`; or it was made after the latter two. */
  | { status: 'cancelled' }

/** A call of a task, from when it is made until the task has ended. */
export interface TaskCall<Result> {
  promise: Promise<Outcome<Result>>
  /** Runs the task, unless the call is settled already. Resolves when the task has ended, well or not. */
  start: () => Promise<void>
  /** Settles the call, and aborts its run. Does nothing once the call is settled. */
  stop: (status: 'superseded' | 'cancelled', reason?: unknown) => void
}

/** What comes of `run` once the call is stopped reaches nobody, nor is it an unhandled rejection. */
export function createTaskCall<Result>(
  run: (signal: AbortSignal) => Result | PromiseLike<Result>,
  onSettled: (call: TaskCall<Result>) => void,
): TaskCall<Result> {
  let resolve: (outcome: Outcome<Result>) => void
  let reject: (error: unknown) => void
  let controller: AbortController | undefined
  let isSettled = false

  function settle(): void {
    if (isSettled) return
    isSettled = true
    onSettled(call)
  }

  const call: TaskCall<Result> = {
    promise: new Promise((...settlers) => ([resolve, reject] = settlers)),
    async start() {
      if (isSettled) return
      controller = new AbortController()
      try {
        resolve({ status: 'done', value: await run(controller.signal) })
      } catch (error) {
        reject(error)
      }
      settle()
    },
    stop(status, reason) {
      if (isSettled) return
      resolve({ status })
      settle()
      controller?.abort(reason)
    },
  }
  return call
}
