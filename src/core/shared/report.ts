/** Reports an error that has no caller, as the platform reports an uncaught error. */
export function report(error: unknown): void {
  // Node has no `reportError`.
  ;((globalThis as Partial<typeof globalThis>).reportError ?? console.error)(error)
}

/** Returns the result of `run`. If it throws, reports the error and returns undefined. */
export function safely<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    report(error)
    return undefined
  }
}
