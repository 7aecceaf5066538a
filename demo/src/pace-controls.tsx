import type { ReactNode } from 'react'
import type { ClientSettings } from './client-settings.ts'
import { Slider } from './slider.tsx'
import { TickBox } from './tick-box.tsx'

interface PaceControlsProps {
  settings: ClientSettings
  change: (changes: Partial<ClientSettings>) => void
}

/** What the own pace begins with: what the server gives. */
const SOME_RATE = 2

/** The client's own rate, so that the server need not refuse anything. */
export function PaceControls({ settings: { ratePerSecond, burst }, change }: PaceControlsProps): ReactNode {
  const isOn = ratePerSecond < Infinity
  return (
    <fieldset>
      <legend className="visually-hidden">Own pace</legend>
      <TickBox
        label="own pace"
        checked={isOn}
        onChange={(isOn) => change({ ratePerSecond: isOn ? SOME_RATE : Infinity })}
      />
      <div className="pair">
        <Slider
          label="ratePerSecond"
          value={isOn ? ratePerSecond : SOME_RATE}
          min={0.5}
          max={10}
          step={0.5}
          format={(value) => (isOn ? `${value} per second` : 'none')}
          disabled={!isOn}
          onChange={(ratePerSecond) => change({ ratePerSecond })}
        />
        <Slider
          label="burst"
          value={burst}
          min={1}
          max={10}
          step={1}
          format={(value) => (isOn ? `${value} at once` : 'none')}
          disabled={!isOn}
          onChange={(burst) => change({ burst })}
        />
      </div>
    </fieldset>
  )
}
