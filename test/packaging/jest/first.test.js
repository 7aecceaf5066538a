/** @jest-environment jsdom */
import { jest, test } from '@jest/globals'
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
