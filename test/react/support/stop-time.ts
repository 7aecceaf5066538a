import { beforeEach, onTestFinished, vi } from 'vitest'

/** The platform's timers and clocks stand still, for what takes no other clock, and move by `vi.advanceTimersByTime`. */
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
