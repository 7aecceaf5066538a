import type { ReactNode } from 'react'
import { HoldButton } from '../../controls/hold-button.tsx'
import type { Comparison, Tally } from './limits-model.ts'
import type { Pace } from './limits-rows.ts'
import { workloadNames, type WorkloadName } from './limits-workloads.ts'
import { schema } from '../../settings/schema.ts'
import { Slider } from '../../controls/slider.tsx'

const labels: Record<WorkloadName, string> = {
  steady: 'At the rate',
  twice: 'Twice the rate',
  rest: 'Burst, rest, burst',
  boundary: 'Across a boundary',
  mixed: 'Some of each',
}

interface LimitsControlsProps {
  pace: Pace
  playing: Tally['playing']
  comparison: Comparison
  /** Restarts with new limits, and plays `workload` if given. */
  onBegin: (pace: Pace, workload?: WorkloadName) => void
}

export function LimitsControls({ pace, playing, comparison, onBegin }: LimitsControlsProps): ReactNode {
  const change = (changes: Partial<Pace>) =>
    onBegin({ ...pace, ...changes }, playing === 'hold' ? undefined : playing)
  return (
    <div className="controls">
      <div className="pair">
        <Slider
          label="Rate"
          value={pace.ratePerSecond}
          {...schema.limits.ratePerSecond.range}
          format={(value) => `${value} per second`}
          onChange={(ratePerSecond) => change({ ratePerSecond })}
        />
        <Slider
          label="Burst"
          value={pace.burst}
          {...schema.limits.burst.range}
          format={(value) => `${value} at once`}
          onChange={(burst) => change({ burst })}
        />
      </div>
      <ButtonGroup label="Clear, and send">
        {workloadNames.map((name) => (
          <button
            key={name}
            type="button"
            className={playing === name ? 'button is-on' : 'button'}
            aria-pressed={playing === name}
            onClick={() => onBegin(pace, name)}
          >
            {labels[name]}
          </button>
        ))}
        <button type="button" className="button" onClick={() => onBegin(pace)}>
          Clear
        </button>
      </ButtonGroup>
      <ButtonGroup label="Send by hand">
        <button type="button" className="button" onClick={comparison.send}>
          Send one
        </button>
        <button type="button" className="button" onClick={comparison.sendBurst}>
          Burst of 10
        </button>
        <HoldButton isOn={playing === 'hold'} onHold={comparison.hold}>
          Hold to send
        </HoldButton>
      </ButtonGroup>
    </div>
  )
}

function ButtonGroup({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <fieldset>
      <legend className="note">{label}</legend>
      <div className="button-grid">{children}</div>
    </fieldset>
  )
}
