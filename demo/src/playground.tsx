import { useEffect, useState, type ReactNode } from 'react'
import { AdaptivePanel } from './adaptive/adaptive-panel.tsx'
import { AutosavePanel } from './autosave/autosave-panel.tsx'
import { BatchingPanel } from './batching/batching-panel.tsx'
import { LimitsPanel } from './limits/limits-panel.tsx'
import { ModesPanel } from './modes/modes-panel.tsx'
import { ScrollPanel } from './scroll/scroll-panel.tsx'
import { useSettings } from './settings/settings-provider.tsx'
import { createDemoTime } from './time/demo-time.ts'
import { TimeBar } from './time/time-bar.tsx'
import { TimeZone } from './time/time-zone.tsx'

/** The panels whose time the visitor has in hand. */
export function Playground(): ReactNode {
  const [time] = useState(() => createDemoTime())
  const [{ speed }] = useSettings('time')
  useEffect(() => time.setSpeed(speed), [time, speed])

  return (
    <TimeZone time={time}>
      <TimeBar />
      <div className="playground">
        <ModesPanel />
        <ScrollPanel />
        <BatchingPanel />
        <LimitsPanel />
        <AdaptivePanel />
        <AutosavePanel />
      </div>
    </TimeZone>
  )
}
