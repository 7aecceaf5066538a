import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PanelCode } from '../../code/panel-code.tsx'
import { useSettings } from '../../settings/settings-provider.tsx'
import { drawStrips } from '../../strips/draw-strips.ts'
import { RealTime } from '../../time/real-time.tsx'
import { useTime } from '../../time/time-zone.tsx'
import { LimitsControls } from './limits-controls.tsx'
import { LimitsLegend } from './limits-legend.tsx'
import { createComparison } from './limits-model.ts'
import { windowMsOf, type Pace } from './limits-rows.ts'
import { limitsPicture } from './limits-picture.ts'
import { LimitsStrips } from './limits-strips.tsx'
import { LimitsSummary } from './limits-summary.tsx'
import type { WorkloadName } from './limits-workloads.ts'

/** Sends the same requests to every limit of the library, and shows the decisions of each. */
export function LimitsPanel(): ReactNode {
  const time = useTime()
  const [pace, setPace] = useSettings('limits')
  const [comparison] = useState(() => createComparison(pace, time.clock))
  const tally = useSyncExternalStore(comparison.subscribe, comparison.tally)
  const strips = useRef<HTMLUListElement>(null)

  useEffect(() => {
    const endDrawing = drawStrips(strips.current!, limitsPicture(comparison), time)
    return () => {
      endDrawing()
      comparison.stop()
    }
  }, [comparison, time])

  function begin(next: Pace, workload?: WorkloadName): void {
    setPace(next)
    comparison.begin(next, workload)
  }

  return (
    <section className="card limits" aria-labelledby="limits-title">
      <div className="limits-head">
        <h2 id="limits-title">One input, every limit</h2>
        <p className="note">
          Every limit gets the same requests. Each has a rate of {pace.ratePerSecond} per second and a burst
          of {pace.burst}; a window lasts {windowWords(pace)}.
        </p>
      </div>
      <LimitsControls pace={pace} playing={tally.playing} comparison={comparison} onBegin={begin} />
      <div className="limits-chart">
        <LimitsStrips tally={tally} ref={strips} />
        <LimitsLegend />
        <RealTime>
          <LimitsSummary tally={tally} />
        </RealTime>
      </div>
      <PanelCode panel="limits" title="Code of a limit" />
    </section>
  )
}

const windowWords = (pace: Pace) => `${+(windowMsOf(pace) / 1000).toFixed(2)} s`
