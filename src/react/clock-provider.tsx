import { useContext, type ReactNode } from 'react'
import { systemClock, type Clock } from '../core/time/clock.ts'
import { ClockContext } from './use-lifecycle.ts'

export interface ClockProviderProps {
  /** The clock of every hook below. It is read when a hook is mounted, and not again. */
  clock: Clock
  children?: ReactNode
}

/** Gives the hooks below it another clock: in tests one that is stepped, in a demonstration a slow one. */
export function ClockProvider({ clock, children }: ClockProviderProps): ReactNode {
  return <ClockContext.Provider value={clock}>{children}</ClockContext.Provider>
}

/** The clock of the nearest `ClockProvider`, else the system's. */
export function useClock(): Clock {
  return useContext(ClockContext) ?? systemClock
}
