/** Reports an error that concerns no caller, as the platform does for one that nobody has caught. */
export function report(error: unknown): void {
  // Node has no `reportError`.
  ;((globalThis as Partial<typeof globalThis>).reportError ?? console.error)(error)
}

/** Calls `callback` with `value`, and reports what it throws. */
export function callSafely<Value>(callback: (value: Value) => void, value: Value): void {
  try {
    callback(value)
  } catch (error) {
    report(error)
  }
}
