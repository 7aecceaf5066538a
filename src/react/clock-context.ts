import { createContext } from 'react'
import type { Clock } from '../core/time/clock.ts'

/** The clock of the hooks; undefined is the system's, of which most hooks then bundle only what they use. */
export const ClockContext: React.Context<Clock | undefined> = createContext<Clock | undefined>(undefined)
