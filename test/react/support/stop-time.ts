import { beforeEach, vi } from 'vitest'

/** Fakes the platform's timers and clocks; `vi.advanceTimersByTime` advances them. */
export function stopTime(): void {
  const timers = ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] as const
  beforeEach(() => void vi.useFakeTimers({ toFake: [...timers, 'Date', 'performance'] }))
}
