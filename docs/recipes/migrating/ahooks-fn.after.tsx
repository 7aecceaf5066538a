import { useDebouncedCallback } from 'lull'
import { useState } from 'react'

export function Counter() {
  const [count, setCount] = useState(0)
  const run = useDebouncedCallback(() => setCount(count + 1), 500)
  return (
    <p>
      <button onClick={run}>Count</button>
      <button onClick={run.cancel}>Do not</button>
      <button onClick={run.flush}>Now</button>
      <output>{count}</output>
    </p>
  )
}
