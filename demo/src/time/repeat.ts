import type { Clock } from 'lull/core'

/**
 * Calls `act` now, and again `everyMs()` ms after each call. Returns a function that stops it. On a manual
 * clock the calls have their exact instants, even if the clock moves late.
 */
export function repeat(clock: Clock, act: () => void, everyMs: () => number): () => void {
  let cancel: () => void

  function next(): void {
    // Schedule first, because `act` may stop the repetition.
    cancel = clock.after(everyMs(), next)
    act()
  }

  next()
  return () => cancel()
}
