import type { TaskCall } from '../debounce/task-call.ts'

/** Runs one call at a time, in order. Of those that come meanwhile the last is next; the others are superseded. */
export function runQueued<Result>(
  begin: (call: TaskCall<Result>) => Promise<void>,
): (call: TaskCall<Result>) => Promise<void> {
  let next: TaskCall<Result> | undefined
  let isBusy = false

  return async (call) => {
    next?.stop('superseded')
    next = call
    if (isBusy) return
    isBusy = true
    while (next) {
      const current: TaskCall<Result> = next
      next = undefined
      await begin(current)
    }
    isBusy = false
  }
}
