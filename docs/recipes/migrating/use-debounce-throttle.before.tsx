import { useEffect, useState } from 'react'
import { useThrottledCallback } from 'use-debounce'

export function Progress() {
  const [top, setTop] = useState(0)
  const look = useThrottledCallback(() => setTop(window.scrollY), 100)
  useEffect(() => {
    window.addEventListener('scroll', look)
    return () => window.removeEventListener('scroll', look)
  }, [look])
  return <output>{top}</output>
}
