import type { ReactNode } from 'react'
import type { Settings } from '../server/api.ts'
import { HeaderChoice } from './header-choice.tsx'
import { Slider } from './slider.tsx'
import type { Server } from './use-server.ts'

/** Shown, out of reach, until the server has told its own. */
const unknown: Settings = { ratePerSecond: 2, burst: 5, delayMs: 120, faultRate: 0, headers: 'both' }

const percent = (value: number) => `${Math.round(value * 100)} %`

export function ServerControls({ server }: { server: Server }): ReactNode {
  const { settings = unknown, change, isUnreachable, reload } = server
  return (
    <section className="card controls" aria-labelledby="server-title">
      <h2 id="server-title">The server</h2>
      <fieldset disabled={!server.settings}>
        <legend className="visually-hidden">Limits and faults</legend>
        <div className="pair">
          <Slider
            label="Rate"
            value={settings.ratePerSecond}
            min={0.5}
            max={20}
            step={0.5}
            format={(value) => `${value} per second`}
            onChange={(ratePerSecond) => change({ ratePerSecond })}
          />
          <Slider
            label="Burst"
            value={settings.burst}
            min={1}
            max={20}
            step={1}
            format={(value) => `${value} at once`}
            onChange={(burst) => change({ burst })}
          />
          <Slider
            label="Delay"
            value={settings.delayMs}
            min={0}
            max={3000}
            step={20}
            format={(value) => `${value} ms`}
            onChange={(delayMs) => change({ delayMs })}
          />
          <Slider
            label="Faults"
            value={settings.faultRate}
            min={0}
            max={1}
            step={0.05}
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
              Ask again
            </button>
          </>
        )}
      </p>
    </section>
  )
}
