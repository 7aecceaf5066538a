import { useDebouncedState, useIsPending } from 'lull'
import { useState } from 'react'

export function Heading() {
  const [typed, setTyped] = useState('Untitled')
  const [title, setTitle, debounced] = useDebouncedState('Untitled', 1000)
  const isPending = useIsPending(debounced)
  function type(text: string) {
    setTyped(text)
    setTitle(text)
  }
  return (
    <label>
      Title{' '}
      <input
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      <button onClick={debounced.cancel}>Leave it</button>
      <button onClick={debounced.flush}>Take it</button>
      <output>{isPending ? `${title} …` : title}</output>
    </label>
  )
}
