import type { ManualClock } from 'lull/testing'
import { onTestFinished, vi } from 'vitest'

let clock: ManualClock
let timers = 0
let timer: { id: number; cancel: () => void } | undefined

/**
 * Has `Date.now` and the timers of the platform live on a manual clock, for what takes no other, until the test ends. The
 * function returned begins anew on another clock.
 *
 * use-debounce sets a timer without clearing the one that it has, after a flush and when `maxWait` is over; two timers make
 * runs that neither would alone. Here the one left behind goes on to serve, so that it has one at a time.
 */
export function stubTime(): (next: ManualClock) => void {
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now())
  vi.stubGlobal('setTimeout', (callback: () => void, delayMs: number) => {
    if (timer) return timer.id
    const cancel = clock.after(delayMs, () => {
      timer = undefined
      callback()
    })
    timer = { id: ++timers, cancel }
    return timer.id
  })
  vi.stubGlobal('clearTimeout', (id: number) => {
    if (timer?.id !== id) return
    timer.cancel()
    timer = undefined
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return (next) => {
    clock = next
    timer = undefined
  }
}
