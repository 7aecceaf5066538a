import { act, render, renderHook, type RenderHookResult, type RenderResult } from '@testing-library/react'
import { ClockProvider } from 'lull'
import { createManualClock, type ManualClock } from 'lull/testing'
import { StrictMode, type ReactNode } from 'react'

/** The ways a component may be rendered; each hook does the same in all of them. */
export const modes = ['plain', 'StrictMode'] as const

export interface OnClock {
  clock: ManualClock
  /** Moves the clock on inside `act`. */
  advance: (ms: number) => void
  wrapper: (props: { children: ReactNode }) => ReactNode
}

/** A manual clock, given to all hooks below `wrapper`. */
export function createOnClock(mode: (typeof modes)[number] = 'plain', startMs = 0): OnClock {
  const clock = createManualClock(startMs)
  const provide = (children: ReactNode): ReactNode => <ClockProvider clock={clock}>{children}</ClockProvider>
  return {
    clock,
    advance: (ms) => act(() => clock.advance(ms)),
    wrapper: ({ children }) =>
      mode === 'plain' ? provide(children) : <StrictMode>{provide(children)}</StrictMode>,
  }
}

export function renderOn(onClock: OnClock, element: ReactNode): RenderResult {
  return render(element, { wrapper: onClock.wrapper })
}

export function renderHookOn<Result, Props>(
  onClock: OnClock,
  hook: (props: Props) => Result,
  initialProps: Props,
): RenderHookResult<Result, Props> {
  return renderHook(hook, { wrapper: onClock.wrapper, initialProps })
}
