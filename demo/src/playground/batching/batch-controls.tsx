import type { ReactNode } from 'react'
import type { Batch } from 'lull/core'
import { ms } from '../../number.ts'
import { HoldButton } from '../../controls/hold-button.tsx'
import { schema } from '../../settings/schema.ts'
import { Slider } from '../../controls/slider.tsx'
import type { BatchRecording } from './batch-recording.ts'
import type { BatchSettings, Lookup } from './use-lookups.ts'

interface BatchControlsProps {
  settings: BatchSettings
  isHeld: boolean
  recording: BatchRecording
  batch: Batch<number, Lookup>
  onChange: (changes: Partial<BatchSettings>) => void
}

export function BatchControls({
  settings: { wait, maxSize },
  isHeld,
  recording,
  batch,
  onChange,
}: BatchControlsProps): ReactNode {
  function clear(): void {
    batch.cancel()
    recording.clear()
  }

  return (
    <div className="controls">
      <div className="pair">
        <Slider
          label="wait"
          value={wait}
          {...schema.batch.wait.range}
          format={ms}
          onChange={(wait) => onChange({ wait })}
        />
        <Slider
          label="maxSize"
          value={maxSize}
          {...schema.batch.maxSize.range}
          format={(value) => `${value} ${value === 1 ? 'item' : 'items'}`}
          onChange={(maxSize) => onChange({ maxSize })}
        />
      </div>
      <div className="button-grid">
        <button type="button" className="button" onClick={() => recording.put(1, batch.add)}>
          Add one
        </button>
        <button type="button" className="button" onClick={() => recording.put(10, batch.add)}>
          10 at once
        </button>
        <HoldButton isOn={isHeld} onHold={(isOn) => recording.hold(isOn ? batch.add : undefined)}>
          Hold to add
        </HoldButton>
        <button type="button" className="button" onClick={() => void batch.flush()}>
          Send now
        </button>
        <button type="button" className="button" onClick={clear}>
          Clear items
        </button>
      </div>
    </div>
  )
}
