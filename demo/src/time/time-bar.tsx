import { useId, useSyncExternalStore, type ReactNode } from 'react'
import { useSettings } from '../settings/settings-provider.tsx'
import { speeds } from './demo-time.ts'
import { useTime } from './time-zone.tsx'

const STEPS_MS = [10, 100]

/** Controls the time of all panels below. */
export function TimeBar(): ReactNode {
  const id = useId()
  const time = useTime()
  const { isPlaying } = useSyncExternalStore(time.subscribe, time.state)
  const [{ speed }, change] = useSettings('time')
  return (
    <>
      <p className="note" id={id}>
        Time of the panels below: slow it down, or pause it and then step.
      </p>
      <div className="time-bar" role="group" aria-labelledby={id}>
        <button
          type="button"
          className={isPlaying ? 'button' : 'button is-on'}
          aria-label={isPlaying ? 'Pause time' : 'Play time'}
          onClick={() => time.setPlaying(!isPlaying)}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <fieldset className="choice speeds">
          <legend className="visually-hidden">Speed of time</legend>
          {speeds.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="speed"
                checked={each === speed}
                onChange={() => change({ speed: each })}
              />
              <span>{each}×</span>
            </label>
          ))}
        </fieldset>
        {STEPS_MS.map((ms) => (
          <button
            key={ms}
            type="button"
            className="button"
            aria-label={`+${ms} ms`}
            disabled={isPlaying}
            onClick={() => time.step(ms)}
          >
            +{ms}
            <span className="unit"> ms</span>
          </button>
        ))}
        <span className="time-note" role="status">
          {!isPlaying && 'Time is paused.'}
        </span>
      </div>
    </>
  )
}
