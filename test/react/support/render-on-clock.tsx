import { act, render, renderHook, type RenderHookResult, type RenderResult } from '@testing-library/react'
import { ClockProvider } from 'lull'
import type { Clock } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import type { ReactNode } from 'react'

/** The ways a component may be rendered; each hook does the same in all of them. */
export const modes = ['plain', 'StrictMode'] as const

export type Mode = (typeof modes)[number]

interface Rendering {
  mode: Mode
  wrapper: (props: { children: ReactNode }) => ReactNode
}

export interface OnClock extends Rendering {
  clock: ManualClock
  /** Moves the clock on inside `act`. */
  advance: (ms: number) => void
}

/** Gives a clock of its own to all hooks below `wrapper`. */
export const onThatClock = (mode: Mode, clock: Clock): Rendering => ({
  mode,
  wrapper: ({ children }) => <ClockProvider clock={clock}>{children}</ClockProvider>,
})

/** As `onThatClock`, with a manual clock. */
export function createOnClock(mode: Mode = 'plain', startMs = 0): OnClock {
  const clock = createManualClock(startMs)
  return { ...onThatClock(mode, clock), clock, advance: (ms) => act(() => clock.advance(ms)) }
}

// StrictMode is to be at the root: what stands in one below another component React 19 does not mount twice.

export function renderOn({ mode, wrapper }: Rendering, element: ReactNode): RenderResult {
  return render(element, { wrapper, reactStrictMode: mode === 'StrictMode' })
}

export function renderHookOn<Result, Props>(
  { mode, wrapper }: Rendering,
  hook: (props: Props) => Result,
  initialProps: Props,
): RenderHookResult<Result, Props> {
  return renderHook(hook, { wrapper, initialProps, reactStrictMode: mode === 'StrictMode' })
}
