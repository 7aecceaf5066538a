import { useEffect, useState, type ReactNode } from 'react'
import { AdaptivePanel } from './adaptive/adaptive-panel.tsx'
import { AutosavePanel } from './autosave/autosave-panel.tsx'
import { BatchingPanel } from './batching/batching-panel.tsx'
import { Fold } from '../controls/fold.tsx'
import { LimitsPanel } from './limits/limits-panel.tsx'
import { ModesPanel } from './modes/modes-panel.tsx'
import { ScrollPanel } from './scroll/scroll-panel.tsx'
import { useSettings } from '../settings/settings-provider.tsx'
import { createDemoTime } from '../time/demo-time.ts'
import { TimeBar } from '../time/time-bar.tsx'
import { TimeZone } from '../time/time-zone.tsx'

/** The panels on a clock that the visitor controls. */
export function Playground(): ReactNode {
  const [time] = useState(() => createDemoTime())
  const [{ speed }] = useSettings('time')
  useEffect(() => time.setSpeed(speed), [time, speed])

  return (
    <TimeZone time={time}>
      <TimeBar />
      <div className="playground">
        <Fold id="modes" title="One input, every mode" isWide>
          <ModesPanel />
        </Fold>
        <Fold id="scroll" title="Scroll and resize">
          <ScrollPanel />
        </Fold>
        <Fold id="batching" title="Many items, few calls">
          <BatchingPanel />
        </Fold>
        <Fold id="limits" title="One input, every limit" isWide>
          <LimitsPanel />
        </Fold>
        <Fold id="adaptive" title="Finding an unknown limit">
          <AdaptivePanel />
        </Fold>
        <Fold id="autosave" title="A note that survives leaving">
          <AutosavePanel />
        </Fold>
      </div>
    </TimeZone>
  )
}
