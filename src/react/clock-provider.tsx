import { useContext, type ReactElement, type ReactNode } from 'react'
import { systemClock, type Clock } from '../core/time/clock.ts'
import { ClockContext } from './use-lifecycle.ts'

export interface ClockProviderProps {
  /** The clock of every hook below. Do not change it: some hooks read it only when they are mounted. */
  clock: Clock
  children?: ReactNode
}

/**
 * Gives the hooks below it another clock: a manual one in tests, a slow one in a demo.
 *
 * @param props see `ClockProviderProps`.
 */
export function ClockProvider({ clock, children }: ClockProviderProps): ReactElement {
  return <ClockContext.Provider value={clock}>{children}</ClockContext.Provider>
}

/** Returns the clock of the nearest `ClockProvider`, else `systemClock`. */
export function useClock(): Clock {
  return useContext(ClockContext) ?? systemClock
}
