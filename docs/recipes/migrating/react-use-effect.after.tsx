import { useDebounce } from 'lull'
import { useEffect, useState } from 'react'

export function Suggestions({ ask }: { ask: (text: string) => void }) {
  const [text, setText] = useState('')
  const query = useDebounce(text, 1000)
  useEffect(() => ask(query), [ask, query])
  return (
    <input
      aria-label="Text"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
