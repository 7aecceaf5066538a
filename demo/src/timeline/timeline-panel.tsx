import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { EventLog } from '../status/event-log.ts'
import { drawTimeline } from './timeline-chart.ts'
import { TimelineLegend } from './timeline-legend.tsx'
import { TimelineTable } from './timeline-table.tsx'
import { useWindowLog } from './use-window-log.ts'

export function TimelinePanel({ log }: { log: EventLog }): ReactNode {
  const target = useRef<HTMLDivElement>(null)
  const [words, setWords] = useState<string>()
  useWindowLog(log)

  useEffect(() => drawTimeline(target.current!, log, setWords), [log])

  return (
    <section className="card timeline" aria-labelledby="timeline-title">
      <div className="timeline-head">
        <h2 id="timeline-title">The last 12 seconds</h2>
        <p className="note" aria-hidden="true">
          {words ??
            (matchMedia('(hover: none)').matches ? 'Tap a mark to read it.' : 'Point at a mark to read it.')}
        </p>
      </div>
      <div ref={target} className="timeline-canvas" role="img" aria-labelledby="timeline-title" />
      <TimelineLegend />
      <TimelineTable log={log} />
    </section>
  )
}
