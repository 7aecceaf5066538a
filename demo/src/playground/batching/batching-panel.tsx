import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PanelCode } from '../../code/panel-code.tsx'
import { useSettings } from '../../settings/settings-provider.tsx'
import { drawStrips } from '../../strips/draw-strips.ts'
import { RealTime } from '../../time/real-time.tsx'
import { useTime } from '../../time/time-zone.tsx'
import { BatchControls } from './batch-controls.tsx'
import { BatchItems } from './batch-items.tsx'
import { batchPicture } from './batch-picture.ts'
import { createBatchRecording } from './batch-recording.ts'
import { BatchStrips } from './batch-strips.tsx'
import { BatchSummary, savedWords } from './batch-summary.tsx'
import { useLookups } from './use-lookups.ts'

/** Items added one by one, and the batched calls for them. */
export function BatchingPanel(): ReactNode {
  const time = useTime()
  const [settings, change] = useSettings('batch')
  const [recording] = useState(() => createBatchRecording(time.clock))
  const batch = useLookups(recording.call, settings)
  const tally = useSyncExternalStore(recording.subscribe, recording.tally)
  const strips = useRef<HTMLUListElement>(null)

  useEffect(() => {
    const endDrawing = drawStrips(strips.current!, batchPicture(recording), time)
    return () => {
      endDrawing()
      recording.hold(undefined)
    }
  }, [recording, time])

  return (
    <section className="card half-panel" aria-labelledby="batching-title">
      <h2 id="batching-title">Many items, few calls</h2>
      <p className="note">
        {settings.maxSize === 1
          ? 'Each item is sent at once, in its own call.'
          : `Items wait for more and are sent together: ${settings.wait} ms after the last one, or as soon as there are ${settings.maxSize}. Each item still gets its own result.`}
      </p>
      <BatchControls
        settings={settings}
        isHeld={tally.isHeld}
        recording={recording}
        batch={batch}
        onChange={change}
      />
      <p className="sum">{savedWords(tally.items, tally.calls)}</p>
      <BatchStrips tally={tally} ref={strips} />
      <BatchItems listed={tally.listed} />
      <RealTime>
        <BatchSummary tally={tally} />
      </RealTime>
      <PanelCode panel="batching" title="Code of the batch" />
    </section>
  )
}
