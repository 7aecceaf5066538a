import throttle from 'lodash/throttle'
import { useEffect, useMemo } from 'react'

export function Tracker({ track }: { track: (top: number) => void }) {
  const onScroll = useMemo(
    () => throttle(() => track(window.scrollY), 100),
    [track],
  )
  useEffect(() => {
    window.addEventListener('scroll', onScroll)
    return () => {
      window.removeEventListener('scroll', onScroll)
      onScroll.cancel()
    }
  }, [onScroll])
  return null
}
