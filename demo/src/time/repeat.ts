import type { Clock } from 'lull/core'

/**
 * Calls `act` now, and `everyMs()` ms after each call again, at the very instants, however late the clock is moved.
 * The function returned ends that.
 */
export function repeat(clock: Clock, act: () => void, everyMs: () => number): () => void {
  let cancel: () => void

  function next(): void {
    // First, for `act` may end it.
    cancel = clock.after(everyMs(), next)
    act()
  }

  next()
  return () => cancel()
}
