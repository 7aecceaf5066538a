import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { Callback, Held, Library, Timing } from './libraries.ts'

/** Runs a script with a library and returns the result, or `none` if the library lacks the feature. */
export type Matter = (library: Library) => string | Promise<string>

export const none = '–'
export const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')
export const listOf = (names: Record<string, boolean>): string =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(', ') || 'none'

export const nothing = (): void => undefined

export function timersSet(act: () => void): number {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  act()
  const { length } = setTimer.mock.calls
  setTimer.mockRestore()
  return length
}

/** Limits a script to libraries that return a debounced function. */
export const ofFunctions =
  (ask: Matter): Matter =>
  (library) =>
    library.handsOut ? ask(library) : none

export const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

export interface Setting {
  timing?: Timing
  isStrict?: boolean
  /** Passes the same callback and options on each render. */
  isStable?: boolean
  wrapper?: (props: { children: ReactNode }) => ReactNode
}

/** Mounts a hook and waits until the effects of the mount have finished. */
export function mount(
  use: (fn: Callback, wait: number, timing: Timing) => Held,
  fn: Callback,
  wait: number,
  { timing = {}, isStrict = false, isStable = false, wrapper }: Setting = {},
) {
  const { result, rerender, unmount } = renderHook(
    (props: { fn: Callback; wait: number }) =>
      isStable
        ? use(props.fn, props.wait, timing)
        : use((...args) => props.fn(...args), props.wait, { ...timing }),
    { initialProps: { fn, wait }, reactStrictMode: isStrict, ...(wrapper && { wrapper }) },
  )
  pass(1000)
  return {
    call: (...args: unknown[]) => {
      act(() => void result.current.call(...args))
    },
    held: () => result.current,
    /** By default with the same callback and wait. */
    rerender: (nextFn = fn, nextWait = wait) => rerender({ fn: nextFn, wait: nextWait }),
    unmount,
  }
}
