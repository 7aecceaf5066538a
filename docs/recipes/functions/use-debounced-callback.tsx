import { pageHidden, pageHide, useDebouncedCallback } from 'lull'
import { useState } from 'react'

/** Saves a draft 500 ms after the last keystroke, at least every 5 s. */
export function Draft({
  name,
  text: kept,
}: {
  name: string
  text: string
}) {
  const [text, setText] = useState(kept)
  const keep = useDebouncedCallback(
    (draft: string) => localStorage.setItem(name, draft),
    500,
    {
      maxWait: 5000,
      onUnmount: 'flush',
      flushOn: [pageHidden, pageHide],
    },
  )
  return (
    <textarea
      aria-label={name}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        keep(event.target.value)
      }}
    />
  )
}
