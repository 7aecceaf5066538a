import { useThrottledEvent, useThrottledResize } from 'lull'
import { useRef, useState, type ReactNode } from 'react'

/** Text in as many columns as fit, with a progress bar for scrolling. */
export function Reading({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [part, setPart] = useState(0)
  const [columns, setColumns] = useState(1)

  // At most once a frame, and always for the last position.
  useThrottledEvent(box, 'scroll', ({ target }) => {
    const { scrollTop, scrollHeight, clientHeight } = target as HTMLElement
    setPart(scrollTop / Math.max(scrollHeight - clientHeight, 1))
  })
  // A new layout is slow, so at most five times a second.
  useThrottledResize(
    box,
    ({ contentRect }) =>
      setColumns(Math.floor(contentRect.width / 320) || 1),
    200,
  )

  return (
    <>
      <progress aria-label="Read" value={part} />
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Text"
        style={{ height: '80vh', overflow: 'auto' }}
      >
        <div style={{ columns }}>{children}</div>
      </div>
    </>
  )
}
