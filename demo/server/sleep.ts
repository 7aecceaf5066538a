/** Resolves after `ms`, or as soon as `signal` aborts: whoever sleeps asks the signal which it was. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
    if (signal.aborted) wake()
  })
}
