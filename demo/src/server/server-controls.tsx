import type { ReactNode } from 'react'
import { ms } from '../number.ts'
import { HeaderChoice } from './header-choice.tsx'
import { schema } from '../settings/schema.ts'
import { Slider } from '../controls/slider.tsx'
import type { Server } from './use-server.ts'

const percent = (value: number) => `${Math.round(value * 100)} %`

export function ServerControls({ server }: { server: Server }): ReactNode {
  const { settings, isKnown, change, isUnreachable, reload } = server
  return (
    <section className="card controls" aria-labelledby="server-title">
      <h2 id="server-title">The server</h2>
      <fieldset disabled={!isKnown}>
        <legend className="visually-hidden">Limits and faults</legend>
        <div className="pair">
          <Slider
            label="Rate"
            value={settings.ratePerSecond}
            {...schema.server.ratePerSecond.range}
            format={(value) => `${value} per second`}
            onChange={(ratePerSecond) => change({ ratePerSecond })}
          />
          <Slider
            label="Burst"
            value={settings.burst}
            {...schema.server.burst.range}
            format={(value) => `${value} at once`}
            onChange={(burst) => change({ burst })}
          />
          <Slider
            label="Delay"
            value={settings.delayMs}
            {...schema.server.delayMs.range}
            format={ms}
            onChange={(delayMs) => change({ delayMs })}
          />
          <Slider
            label="Faults"
            value={settings.faultRate}
            {...schema.server.faultRate.range}
            format={percent}
            onChange={(faultRate) => change({ faultRate })}
          />
        </div>
        <HeaderChoice headers={settings.headers} onChange={(headers) => change({ headers })} />
      </fieldset>
      <p className="server-line" role="status">
        {isUnreachable && (
          <>
            The server cannot be reached.{' '}
            <button type="button" className="button" onClick={reload}>
              Try again
            </button>
          </>
        )}
      </p>
    </section>
  )
}
