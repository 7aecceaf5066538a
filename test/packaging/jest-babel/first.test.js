/** @jest-environment jsdom */
import { firstTests } from './first-tests'

firstTests({
  test,
  mock: jest.fn,
  timers: {
    fake: () => jest.useFakeTimers(),
    advance: (ms) => jest.advanceTimersByTimeAsync(ms),
    real: () => jest.useRealTimers(),
  },
})
