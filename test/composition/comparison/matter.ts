import { vi } from 'vitest'
import type { Library } from './libraries.ts'

/** What is asked of a library; one that has no such thing answers `none`. */
export type Matter = (library: Library) => string | Promise<string>

export const none = '–'
export const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')
export const listOf = (names: Record<string, boolean>): string =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(', ') || 'none'

export const nothing = (): void => undefined

/** How many timers `act` sets. */
export function timersSet(act: () => void): number {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  act()
  const { length } = setTimer.mock.calls
  setTimer.mockRestore()
  return length
}

/** Asked only of what hands out a function. */
export const ofFunctions =
  (ask: Matter): Matter =>
  (library) =>
    library.handsOut ? ask(library) : none
