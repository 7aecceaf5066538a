import { useCallback, useState } from 'react'
import { useDebounceCallback } from 'usehooks-ts'

const options = { maxWait: 2000 }

export function Lookup({ look }: { look: (word: string) => void }) {
  const [word, setWord] = useState('')
  const lookUp = useCallback((typed: string) => look(typed.trim()), [look])
  const lookSoon = useDebounceCallback(lookUp, 500, options)
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
