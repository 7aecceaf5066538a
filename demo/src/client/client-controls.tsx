import type { ReactNode } from 'react'
import { ms } from '../number.ts'
import { DriverChoice } from './driver-choice.tsx'
import { PaceControls } from './pace-controls.tsx'
import { schema } from '../settings/schema.ts'
import { useSettings } from '../settings/settings-provider.tsx'
import { Slider } from '../controls/slider.tsx'
import { TickBox } from '../controls/tick-box.tsx'

/** The `maxWait` when it is switched on, and the slider position while it is off, in ms. */
const SOME_MAX_WAIT = 1000

export function ClientControls(): ReactNode {
  const [settings, change] = useSettings('page')
  const { driver, wait, leading, trailing, maxWait } = settings
  const hasMaxWait = maxWait < Infinity
  return (
    <section className="card controls" aria-labelledby="client-title">
      <h2 id="client-title">This page</h2>
      <DriverChoice driver={driver} onChange={(driver) => change({ driver })} />
      <div className="pair">
        <Slider
          label="wait"
          value={wait}
          {...schema.page.wait.range}
          format={ms}
          onChange={(wait) => change({ wait })}
        />
        <Slider
          label="maxWait"
          value={hasMaxWait ? maxWait : SOME_MAX_WAIT}
          {...schema.page.maxWait.range}
          format={(value) => (hasMaxWait ? ms(value) : 'off')}
          disabled={!hasMaxWait}
          onChange={(maxWait) => change({ maxWait })}
        />
      </div>
      <div className="tick-boxes" role="group" aria-label="Debounce options">
        <TickBox label="leading" checked={leading} onChange={(leading) => change({ leading })} />
        <TickBox label="trailing" checked={trailing} onChange={(trailing) => change({ trailing })} />
        <TickBox
          label="use maxWait"
          checked={hasMaxWait}
          onChange={(isOn) => change({ maxWait: isOn ? SOME_MAX_WAIT : Infinity })}
        />
      </div>
      <PaceControls settings={settings} change={change} />
    </section>
  )
}
