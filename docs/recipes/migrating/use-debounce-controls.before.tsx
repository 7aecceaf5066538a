import { useState } from 'react'
import { useDebounce } from 'use-debounce'

export function Heading() {
  const [typed, setTyped] = useState('Untitled')
  const [title, { cancel, flush, isPending }] = useDebounce(typed, 1000)
  return (
    <label>
      Title{' '}
      <input
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button onClick={cancel}>Leave it</button>
      <button onClick={flush}>Take it</button>
      <output>{isPending() ? `${title} …` : title}</output>
    </label>
  )
}
