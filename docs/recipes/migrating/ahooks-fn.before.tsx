import { useDebounceFn } from 'ahooks'
import { useState } from 'react'

export function Counter() {
  const [count, setCount] = useState(0)
  const { run, cancel, flush } = useDebounceFn(() => setCount(count + 1), {
    wait: 500,
  })
  return (
    <p>
      <button onClick={run}>Count</button>
      <button onClick={cancel}>Do not</button>
      <button onClick={flush}>Now</button>
      <output>{count}</output>
    </p>
  )
}
