import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ms } from '../../number.ts'
import { PanelCode } from '../../code/panel-code.tsx'
import { schema } from '../../settings/schema.ts'
import { useSettings, useSettingsStore } from '../../settings/settings-provider.tsx'
import { Slider } from '../../controls/slider.tsx'
import { drawStrips } from '../../strips/draw-strips.ts'
import { RealTime } from '../../time/real-time.tsx'
import { useTime } from '../../time/time-zone.tsx'
import { createModeRecording } from './mode-recording.ts'
import { ModesInput } from './modes-input.tsx'
import { modesPicture } from './modes-picture.ts'
import { ModesStrips } from './modes-strips.tsx'
import { ModesSummary } from './modes-summary.tsx'
import { Playhead } from './playhead.tsx'

/** One input and the runs of each mode. The recording can be replayed, also with other waits. */
export function ModesPanel(): ReactNode {
  const time = useTime()
  const store = useSettingsStore()
  const [{ wait, maxWait, span }, change] = useSettings('modes')
  const [recording] = useState(() => createModeRecording(time, { wait, maxWait }))
  const tally = useSyncExternalStore(recording.subscribe, recording.tally)
  const strips = useRef<HTMLUListElement>(null)

  useEffect(() => recording.retime({ wait, maxWait }), [recording, wait, maxWait])
  useEffect(() => {
    const isWhole = () => store.read().modes.span === 'whole'
    return drawStrips(strips.current!, modesPicture(recording, isWhole), time)
  }, [recording, store, time, span])

  return (
    <section className="card modes" aria-labelledby="modes-title">
      <div className="modes-head">
        <h2 id="modes-title">One input, every mode</h2>
        <p className="note">
          Type, or move over the field. All modes get the same events. Drag the playhead to look again, or
          change a wait to see the difference. ×40 at the end of a row: its tallest mark stands for 40 events.
        </p>
      </div>
      <div className="controls">
        <ModesInput recording={recording} onWhole={() => change({ span: 'whole' })} />
        <div className="pair">
          <Slider
            label="wait"
            value={wait}
            {...schema.modes.wait.range}
            format={ms}
            onChange={(wait) => change({ wait })}
          />
          <Slider
            label="maxWait"
            value={maxWait}
            {...schema.modes.maxWait.range}
            format={ms}
            onChange={(maxWait) => change({ maxWait })}
          />
        </div>
      </div>
      <div>
        <ModesStrips tally={tally} ref={strips} />
        <RealTime>
          <ModesSummary tally={tally} />
        </RealTime>
        <Playhead recording={recording} tally={tally} span={span} onSpan={(span) => change({ span })} />
      </div>
      <PanelCode panel="modes" title="Code of the modes" />
    </section>
  )
}
