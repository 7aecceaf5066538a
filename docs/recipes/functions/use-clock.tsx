import { useClock } from 'lull'
import { useRef, useState } from 'react'

/** The time between two clicks, by the clock of the hooks. */
export function Reaction() {
  const clock = useClock()
  const since = useRef<number>(undefined)
  const [ms, setMs] = useState(0)

  function press(): void {
    const now = clock.now()
    setMs(now - (since.current ?? now))
    since.current = now
  }
  return <button onClick={press}>{ms} ms</button>
}
