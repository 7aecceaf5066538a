import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
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
import { useScrollRuns } from './use-scroll-runs.ts'

const lines = Array.from({ length: 60 }, (_, index) => index + 1)
const lanes = [
  ['event', 'keystroke'],
  ['throttled', 'throttled'],
  ['frame', 'debounced'],
] as const

/** Counts the scroll and resize events of a box, and the throttled runs for them. */
export function ScrollPanel(): ReactNode {
  const time = useTime()
  const [{ wait }, change] = useSettings('scroll')
  const box = useRef<HTMLDivElement>(null)
  const strips = useRef<HTMLUListElement>(null)
  const [log] = useState(() => createLaneLog(lanes.map(([lane]) => lane)))
  const tally = useSyncExternalStore(log.subscribe, log.tally)
  const record = (lane: 'throttled' | 'frame') => () => log.add(lane, time.clock.now())
  const { onEvent } = useScrollRuns(box, wait, { onThrottled: record('throttled'), onFrame: record('frame') })

  function count(): void {
    log.add('event', time.clock.now())
    onEvent()
  }

  const onResize = useEffectEvent(() => {
    time.catchUp()
    count()
  })
  useEffect(() => {
    const observer = new ResizeObserver(onResize)
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  useEffect(() => drawStrips(strips.current!, lanesPicture(log, lanes, time), time), [log, time])

  return (
    <section className="card half-panel" aria-labelledby="scroll-title">
      <h2 id="scroll-title">Scroll and resize</h2>
      <p className="note">
        Scroll the box, or drag its corner: a run {wait > 0 ? `every ${wait} ms` : 'at each event'}, or once a
        frame, is enough to follow.
      </p>
      <div className="scroll-frame">
        <div
          ref={box}
          className="scroll-box"
          tabIndex={0}
          role="region"
          aria-label="Box to scroll"
          onScroll={count}
        >
          {lines.map((line) => (
            <p key={line}>Line {line}</p>
          ))}
        </div>
      </div>
      <ul className="stacked" ref={strips}>
        <StripRow name="Events" words="of the box" id="count-events" count={tally.event} />
        <StripRow name="Throttled" words="every wait" id="count-event-runs" count={tally.throttled} />
        <StripRow name="Frame" words="once a frame" id="count-frame-runs" count={tally.frame} />
        <AxisRow />
      </ul>
      <Slider
        label="wait"
        value={wait}
        {...schema.scroll.wait.range}
        format={ms}
        onChange={(wait) => change({ wait })}
      />
      <PanelCode panel="scroll" title="Code of the box" />
    </section>
  )
}
