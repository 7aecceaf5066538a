import debounce from 'lodash/debounce'
import { useEffect, useMemo, useState } from 'react'

export function Search({ find }: { find: (text: string) => void }) {
  const [text, setText] = useState('')
  const findSoon = useMemo(() => debounce(find, 300), [find])
  useEffect(() => () => findSoon.cancel(), [findSoon])
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
