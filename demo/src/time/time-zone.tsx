import { createContext, use, type ReactNode } from 'react'
import { ClockProvider } from 'lull'
import type { DemoTime } from './demo-time.ts'

const Time = createContext<DemoTime | undefined>(undefined)

export function useTime(): DemoTime {
  const time = use(Time)
  if (!time) throw new Error('Expected a TimeZone above')
  return time
}

/** Provides `time` to its children, including the hooks of the library. */
export function TimeZone({ time, children }: { time: DemoTime; children: ReactNode }): ReactNode {
  const { catchUp } = time
  return (
    <Time value={time}>
      <ClockProvider clock={time.clock}>
        <div
          className="time-zone"
          onInputCapture={catchUp}
          onClickCapture={catchUp}
          onKeyDownCapture={catchUp}
          onKeyUpCapture={catchUp}
          onPointerDownCapture={catchUp}
          onPointerMoveCapture={catchUp}
          onPointerUpCapture={catchUp}
          onScrollCapture={catchUp}
        >
          {children}
        </div>
      </ClockProvider>
    </Time>
  )
}
