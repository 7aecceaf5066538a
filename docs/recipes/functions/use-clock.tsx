import { useClock } from 'lull'
import { useRef, useState } from 'react'

/** How long it took to press the button again, by the clock that the hooks have. */
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
