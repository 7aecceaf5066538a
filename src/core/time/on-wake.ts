/** Events after a sleep of the page, or when the network is back. */
const SIGNS = ['online', 'pageshow', 'visibilitychange', 'resume']

/** Calls `callback` when the page may have slept, or is online. Returns a function that unsubscribes. Does nothing outside a page. */
export function onWake(callback: () => void): () => void {
  const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
  // A capturing listener of the window also hears events of the document that do not bubble.
  for (const type of SIGNS) page.addEventListener?.(type, callback, true)
  return () => {
    for (const type of SIGNS) page.removeEventListener?.(type, callback, true)
  }
}
