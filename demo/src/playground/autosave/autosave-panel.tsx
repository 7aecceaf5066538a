import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { ms } from '../../number.ts'
import { PanelCode } from '../../code/panel-code.tsx'
import { schema } from '../../settings/schema.ts'
import { useSettings } from '../../settings/settings-provider.tsx'
import { Slider } from '../../controls/slider.tsx'
import { drawStrips } from '../../strips/draw-strips.ts'
import { createLaneLog } from '../../strips/lane-log.ts'
import { lanesPicture } from '../../strips/lanes-picture.ts'
import { AxisRow, StripRow } from '../../strips/strip-row.tsx'
import { useTime } from '../../time/time-zone.tsx'
import { noteName } from './note-name.ts'
import { returnWords, saveWords } from './note-words.ts'
import { useAutosave } from './use-autosave.ts'
import { useNote, type Note } from './use-note.ts'

const MAX_LENGTH = 1000

const lanes = [
  ['edit', 'keystroke'],
  ['save', 'ok'],
] as const

/** A note with autosave, which also saves when the page is closed. */
export function AutosavePanel(): ReactNode {
  const id = useId()
  const time = useTime()
  const [{ wait }, change] = useSettings('autosave')
  const [url] = useState(() => `/api/note?client=${encodeURIComponent(noteName())}`)
  const { kept, note, edit } = useNote(url)
  const { run, flush, ...save } = useAutosave(url, wait)
  const strips = useRef<HTMLUListElement>(null)
  const [log] = useState(() => createLaneLog(lanes.map(([lane]) => lane)))
  const tally = useSyncExternalStore(log.subscribe, log.tally)
  useEffect(() => drawStrips(strips.current!, lanesPicture(log, lanes, time), time), [log, time])

  function keep(note: Note): void {
    void run(note).then(
      ({ status }) => {
        time.catchUp()
        if (status === 'done') log.add('save', time.clock.now())
      },
      // The status line shows the error.
      () => undefined,
    )
  }

  const retry = useEffectEvent(() => {
    // Two of these events may come before the next render; then the first retry is in flight.
    if (save.status !== 'error' || flush()) return
    keep(note)
    void flush()
  })
  useEffect(() => {
    const controller = new AbortController()
    const onEvent = () => retry()
    for (const type of ['online', 'pagehide']) window.addEventListener(type, onEvent, controller)
    document.addEventListener('visibilitychange', onEvent, controller)
    return () => controller.abort()
  }, [])

  function write(text: string): void {
    log.add('edit', time.clock.now())
    keep(edit(text))
  }

  return (
    <section className="card half-panel" aria-labelledby="autosave-title">
      <h2 id="autosave-title">A note that survives leaving</h2>
      <p className="note" data-testid="note-kept">
        {returnWords(kept)}
      </p>
      <div className="field">
        <label htmlFor={id}>Your note</label>
        <textarea
          id={id}
          className="text"
          rows={3}
          maxLength={MAX_LENGTH}
          disabled={!kept}
          value={note.text}
          onChange={(event) => write(event.target.value)}
        />
      </div>
      <div className="autosave-line">
        <span role="status" className={save.status === 'error' ? 'is-error' : undefined}>
          {saveWords(save)}
        </span>
        <button type="button" className="button" onClick={() => location.reload()}>
          Leave at once
        </button>
      </div>
      <ul className="stacked" ref={strips}>
        <StripRow name="Edits" words="of the text" id="note-edits" count={tally.edit} />
        <StripRow name="Saves" words="that the server has" id="note-saves" count={tally.save} />
        <AxisRow />
      </ul>
      <Slider
        label="wait"
        value={wait}
        {...schema.autosave.wait.range}
        format={ms}
        onChange={(wait) => change({ wait })}
      />
      <PanelCode panel="autosave" title="Code of the autosave" />
    </section>
  )
}
