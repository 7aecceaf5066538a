import { useThrottledEvent } from 'lull'
import { useState } from 'react'

const page = () => window

export function Progress() {
  const [top, setTop] = useState(0)
  useThrottledEvent(page, 'scroll', () => setTop(window.scrollY), 100)
  return <output>{top}</output>
}
