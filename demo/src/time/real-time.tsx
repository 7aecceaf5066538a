import type { ReactNode } from 'react'
import { ClockProvider } from 'lull'
import { systemClock } from 'lull/core'

/** What is said to the visitor goes by the visitor's own time, whatever the panels' does. */
export const RealTime = ({ children }: { children: ReactNode }): ReactNode => (
  <ClockProvider clock={systemClock}>{children}</ClockProvider>
)
