import { useState } from 'react'
import { useDebounce } from 'react-use'

export function Suggestions({ ask }: { ask: (text: string) => void }) {
  const [text, setText] = useState('')
  useDebounce(() => ask(text), 1000, [text])
  return (
    <input
      aria-label="Text"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
