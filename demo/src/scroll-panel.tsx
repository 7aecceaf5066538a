import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useThrottledCallback } from 'lull'
import { EventBar } from './event-bar.tsx'

const WAIT = 200
const lines = Array.from({ length: 60 }, (_, index) => index + 1)

/** Counts the events of a box that is scrolled or resized, and the throttled runs for the same ones. */
export function ScrollPanel(): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [events, setEvents] = useState(0)
  const [runs, setRuns] = useState(0)
  const countRun = useThrottledCallback(() => setRuns((count) => count + 1), WAIT)

  function count(): void {
    setEvents((count) => count + 1)
    countRun()
  }

  const onResize = useEffectEvent(count)
  useEffect(() => {
    let isFirst = true
    const observer = new ResizeObserver(() => {
      // The first is the size that it has, and no change of it.
      if (!isFirst) onResize()
      isFirst = false
    })
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])

  return (
    <section className="card scroll" aria-labelledby="scroll-title">
      <h2 id="scroll-title">Scroll and resize</h2>
      <p className="note">
        Scroll the box, or drag its corner: throttled, it runs once every {WAIT} ms at most.
      </p>
      <dl className="bars">
        <EventBar name="Events" id="count-events" value={events} most={events} />
        <EventBar name="Throttled runs" id="count-event-runs" value={runs} most={events} />
      </dl>
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
    </section>
  )
}
