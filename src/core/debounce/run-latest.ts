import type { TaskCall } from './task-call.ts'

/** Runs each call at once and aborts the one before it, which is superseded. */
export function runLatest<Result>(
  begin: (call: TaskCall<Result>) => Promise<void>,
): (call: TaskCall<Result>) => Promise<void> {
  let newest: TaskCall<Result> | undefined

  return async (call) => {
    const older = newest
    // First, for who hears of the abort may run a newer one still, which is then to abort this one.
    newest = call
    older?.stop('superseded')
    await begin(call)
    if (newest === call) newest = undefined
  }
}
