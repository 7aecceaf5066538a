import { useId, useState, type ReactNode } from 'react'
import type { ModeRecording } from './mode-recording.ts'
import { stormOf } from './storm.ts'

interface ModesInputProps {
  recording: ModeRecording
  /** Called to show the whole recording. */
  onWhole: () => void
}

const STORM = 10_000

/** The sources of events: a text field, a pointer area, and a button for 10,000 events. */
export function ModesInput({ recording, onWhole }: ModesInputProps): ReactNode {
  const id = useId()
  const [text, setText] = useState('')

  function storm(): void {
    recording.addAll(stormOf(STORM, 1))
    onWhole()
  }

  return (
    <div className="modes-input">
      <div className="field">
        <label htmlFor={id}>Type here</label>
        <input
          id={id}
          className="text"
          type="text"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            recording.add()
          }}
        />
      </div>
      <div className="pad" onPointerMove={recording.add} aria-hidden="true">
        or move here
      </div>
      <button type="button" className="button" onClick={storm}>
        10,000 events in 10 s
      </button>
    </div>
  )
}
