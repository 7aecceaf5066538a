import { useThrottledResize } from 'lull'
import { useRef, useState, type ReactNode } from 'react'

/** As many columns of 200 px as there is room for. */
export function Columns({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(1)
  useThrottledResize(box, ({ contentRect }) =>
    setCount(Math.max(1, Math.floor(contentRect.width / 200))),
  )
  return (
    <div ref={box} style={{ columnCount: count }}>
      {children}
    </div>
  )
}
