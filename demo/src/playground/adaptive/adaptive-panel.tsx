import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PanelCode } from '../../code/panel-code.tsx'
import { schema } from '../../settings/schema.ts'
import { useSettings } from '../../settings/settings-provider.tsx'
import { Slider } from '../../controls/slider.tsx'
import { drawStrips } from '../../strips/draw-strips.ts'
import { AxisRow, StripRow } from '../../strips/strip-row.tsx'
import { RealTime } from '../../time/real-time.tsx'
import { useTime } from '../../time/time-zone.tsx'
import { adaptivePicture } from './adaptive-picture.ts'
import { AdaptiveSummary } from './adaptive-summary.tsx'
import { createAdaptiveTrial } from './adaptive-trial.ts'

/** The period that the used share is measured over, in ms. */
const SHARE_MS = 5000

const perSecond = (value: number) => `${value} per second`

/** A client that finds a server's limit by trial. */
export function AdaptivePanel(): ReactNode {
  const time = useTime()
  const [{ ratePerSecond, load }, change] = useSettings('adaptive')
  const [trial] = useState(() => createAdaptiveTrial(time, { ratePerSecond, load }))
  const [isRunning, setIsRunning] = useState(false)
  const tally = useSyncExternalStore(trial.log.subscribe, trial.log.tally)
  const strips = useRef<HTMLUListElement>(null)
  const percent = `${Math.round(trial.used(SHARE_MS) * 100)} %`

  useEffect(() => trial.configure({ ratePerSecond, load }), [trial, ratePerSecond, load])
  // At rest, only a new limit changes the picture.
  useEffect(
    () => drawStrips(strips.current!, adaptivePicture(trial, time), time),
    [trial, time, ratePerSecond],
  )
  useEffect(() => () => trial.setRunning(false), [trial])

  function toggle(): void {
    trial.setRunning(!isRunning)
    setIsRunning(!isRunning)
  }

  return (
    <section className="card half-panel" aria-labelledby="adaptive-title">
      <h2 id="adaptive-title">Finding an unknown limit</h2>
      <p className="note">
        The client does not know the limit. It only sees whether each call was served. The dashed line is the
        server’s limit: move it while it runs.
      </p>
      <button type="button" className={isRunning ? 'button is-on' : 'button'} onClick={toggle}>
        {isRunning ? 'Stop calling' : 'Start calling'}
      </button>
      <ul className="stacked" ref={strips}>
        <StripRow
          name="Rate"
          words="per second. Of the limit used, last 5 s:"
          className="strip-rate"
          id="adaptive-used"
          count={percent}
        />
        <StripRow name="Served" words="within the limit" id="adaptive-served" count={tally.served} />
        <StripRow name="Refused" words="above it" id="adaptive-refused" count={tally.refused} />
        <StripRow name="Not sent" words="by the client" id="adaptive-held" count={tally.held} />
        <AxisRow />
      </ul>
      <RealTime>
        <AdaptiveSummary tally={tally} used={percent} />
      </RealTime>
      <Slider
        label="Limit of the server"
        value={ratePerSecond}
        {...schema.adaptive.ratePerSecond.range}
        format={perSecond}
        onChange={(ratePerSecond) => change({ ratePerSecond })}
      />
      <Slider
        label="Calls"
        value={load}
        {...schema.adaptive.load.range}
        format={perSecond}
        onChange={(load) => change({ load })}
      />
      <PanelCode panel="adaptive" title="Code of the limiter" />
    </section>
  )
}
