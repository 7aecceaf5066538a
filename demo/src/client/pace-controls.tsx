import type { ReactNode } from 'react'
import { schema, type ClientSettings } from '../settings/schema.ts'
import { Slider } from '../controls/slider.tsx'
import { TickBox } from '../controls/tick-box.tsx'

interface PaceControlsProps {
  settings: ClientSettings
  change: (changes: Partial<ClientSettings>) => void
}

/** The rate when the limit is switched on, per second; equals the server's default. */
const SOME_RATE = 2

/** The client-side rate limit. With it the server does not have to refuse requests. */
export function PaceControls({ settings: { ratePerSecond, burst }, change }: PaceControlsProps): ReactNode {
  const isOn = ratePerSecond < Infinity
  return (
    <fieldset>
      <legend className="visually-hidden">Limit of this page</legend>
      <TickBox
        label="Limit this page’s own requests"
        checked={isOn}
        onChange={(isOn) => change({ ratePerSecond: isOn ? SOME_RATE : Infinity })}
      />
      <div className="pair">
        <Slider
          label="ratePerSecond"
          value={isOn ? ratePerSecond : SOME_RATE}
          {...schema.page.ratePerSecond.range}
          format={(value) => (isOn ? `${value} per second` : 'off')}
          disabled={!isOn}
          onChange={(ratePerSecond) => change({ ratePerSecond })}
        />
        <Slider
          label="burst"
          value={burst}
          {...schema.page.burst.range}
          format={(value) => (isOn ? `${value} at once` : 'off')}
          disabled={!isOn}
          onChange={(burst) => change({ burst })}
        />
      </div>
    </fieldset>
  )
}
