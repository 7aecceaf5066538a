import { beforeEach, onTestFinished, vi } from 'vitest'

/** Fakes the platform's timers and clocks; `vi.advanceTimersByTime` advances them. */
export function stopTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: [
        'setTimeout',
        'clearTimeout',
        'Date',
        'performance',
        'requestAnimationFrame',
        'cancelAnimationFrame',
      ],
    })
    onTestFinished(() => void vi.useRealTimers())
  })
}
