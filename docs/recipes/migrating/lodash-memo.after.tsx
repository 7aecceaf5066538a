import { useDebouncedCallback } from 'lull'
import { useState } from 'react'

export function Search({ find }: { find: (text: string) => void }) {
  const [text, setText] = useState('')
  const findSoon = useDebouncedCallback(find, 300)
  function type(typed: string) {
    setText(typed)
    findSoon(typed)
  }
  return (
    <input
      aria-label="Text"
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
}
