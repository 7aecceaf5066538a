import { useThrottledEvent, useThrottledResize } from 'lull'
import { useRef, useState, type ReactNode } from 'react'

/** A text in as many columns as it is wide enough for, and how much of it has been scrolled past. */
export function Reading({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [part, setPart] = useState(0)
  const [columns, setColumns] = useState(1)

  // Once a frame, and in any case where the scrolling ends.
  useThrottledEvent(box, 'scroll', ({ target }) => {
    const { scrollTop, scrollHeight, clientHeight } = target as HTMLElement
    setPart(scrollTop / Math.max(scrollHeight - clientHeight, 1))
  })
  // To set a text anew is slow, so no more than five times a second.
  useThrottledResize(box, ({ contentRect }) => setColumns(Math.floor(contentRect.width / 320) || 1), 200)

  return (
    <>
      <progress aria-label="Read" value={part} />
      <div ref={box} tabIndex={0} role="region" aria-label="Text" style={{ overflow: 'auto', columns }}>
        {children}
      </div>
    </>
  )
}
