import { act, render } from '@testing-library/react'
import { ClockProvider } from 'lull'
import { createManualClock } from 'lull/testing'
import type { ReactNode } from 'react'

/** For tests: renders `element` on a clock that only `advance` moves. */
export function renderOnClock(element: ReactNode) {
  const clock = createManualClock()
  render(<ClockProvider clock={clock}>{element}</ClockProvider>)
  return {
    clock,
    advance: (ms: number) => act(() => clock.advanceAsync(ms)),
  }
}
