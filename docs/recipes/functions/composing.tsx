import { composing, useDebounce } from 'lull'
import { useState } from 'react'

/** Looks words up, but not while an input method composes one. */
export function Dictionary({
  lookUp,
}: {
  lookUp: (word: string) => string
}) {
  const [text, setText] = useState('')
  const word = useDebounce(text, 250, { holdWhile: composing })
  return (
    <>
      <input
        aria-label="Word"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <output>{word && lookUp(word)}</output>
    </>
  )
}
