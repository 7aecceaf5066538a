import { composing, useDebounce } from 'lull'
import { useState } from 'react'

/** Looks up words, and nothing for half of one that an input method still composes. */
export function Dictionary({ lookUp }: { lookUp: (word: string) => string }) {
  const [text, setText] = useState('')
  const word = useDebounce(text, 250, { holdWhile: composing })
  return (
    <>
      <input aria-label="Word" value={text} onChange={(event) => setText(event.target.value)} />
      <output>{word && lookUp(word)}</output>
    </>
  )
}
