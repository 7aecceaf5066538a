// @vitest-environment jsdom
import { test, vi } from 'vitest'
import { firstTests } from './first-tests.js'

firstTests({
  test,
  mock: vi.fn,
  timers: {
    fake: () => vi.useFakeTimers(),
    advance: (ms) => vi.advanceTimersByTimeAsync(ms),
    real: () => vi.useRealTimers(),
  },
})
