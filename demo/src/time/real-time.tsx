import type { ReactNode } from 'react'
import { ClockProvider } from 'lull'
import { systemClock } from 'lull/core'

/** Messages to the visitor use the system clock, not the clock of the panels. */
export const RealTime = ({ children }: { children: ReactNode }): ReactNode => (
  <ClockProvider clock={systemClock}>{children}</ClockProvider>
)
