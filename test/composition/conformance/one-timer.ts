import type { ManualClock } from 'lull/testing'
import { onTestFinished, vi } from 'vitest'

let clock: ManualClock
let timers = 0
let timer: { id: number; cancel: () => void } | undefined

/**
 * Runs `Date.now` and the platform timers on a manual clock until the test ends, for libraries that accept no
 * clock. The returned function switches to another clock.
 *
 * use-debounce sets a timer without clearing the previous one after a flush and when `maxWait` ends; the two
 * timers cause extra runs. This stub keeps the earlier timer, so that only one exists at a time.
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
