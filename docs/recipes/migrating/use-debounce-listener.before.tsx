import { useEffect, useState } from 'react'
import { useDebouncedCallback } from 'use-debounce'

export function ScrollPosition() {
  const [top, setTop] = useState(0)
  const look = useDebouncedCallback(() => setTop(window.scrollY), 400)
  useEffect(() => {
    window.addEventListener('scroll', look)
    return () => window.removeEventListener('scroll', look)
  }, [look])
  return <output>{top}</output>
}
