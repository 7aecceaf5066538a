/** Reports an error that concerns no caller, as the platform does for one that nobody has caught. */
export function report(error: unknown): void {
  // Node has no `reportError`.
  ;((globalThis as Partial<typeof globalThis>).reportError ?? console.error)(error)
}

/** Returns what `run` returns. What it throws is reported: then undefined. */
export function safely<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    report(error)
    return undefined
  }
}
