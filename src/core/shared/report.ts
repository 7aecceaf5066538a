/** Reports an error that concerns no caller, as the platform does for one that nobody has caught. */
export function report(error: unknown): void {
  const { reportError } = globalThis as Partial<typeof globalThis>
  // Node has no such function.
  if (reportError) reportError(error)
  else console.error(error)
}
