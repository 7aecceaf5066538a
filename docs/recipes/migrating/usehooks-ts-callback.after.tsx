import { useDebouncedCallback } from 'lull'
import { useState } from 'react'

export function Lookup({ look }: { look: (word: string) => void }) {
  const [word, setWord] = useState('')
  const lookSoon = useDebouncedCallback(
    (typed: string) => look(typed.trim()),
    500,
    { maxWait: 2000 },
  )
  function type(text: string) {
    setWord(text)
    lookSoon(text)
  }
  return (
    <label>
      Word{' '}
      <input value={word} onChange={(event) => type(event.target.value)} />
      <button onClick={lookSoon.flush}>Now</button>
      <button onClick={lookSoon.cancel}>Never</button>
    </label>
  )
}
