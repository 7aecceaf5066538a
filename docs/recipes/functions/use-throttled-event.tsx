import { useThrottledEvent } from 'lull'
import { useState } from 'react'

/** How far the page is scrolled, drawn once a frame. */
export function Progress() {
  const [share, setShare] = useState(0)
  useThrottledEvent(
    () => window,
    'scroll',
    () => {
      const most = document.body.scrollHeight - window.innerHeight
      setShare(window.scrollY / Math.max(most, 1))
    },
  )
  return <progress value={share} />
}
