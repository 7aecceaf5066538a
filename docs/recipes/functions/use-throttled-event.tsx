import { useThrottledEvent } from 'lull'
import { useState } from 'react'

/** How far the page is scrolled, drawn once a frame. */
export function Progress() {
  const [share, setShare] = useState(0)
  useThrottledEvent(
    () => window,
    'scroll',
    () =>
      setShare(
        window.scrollY / (document.body.scrollHeight - window.innerHeight),
      ),
  )
  return <progress value={share} />
}
