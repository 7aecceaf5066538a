import { pageHidden, pageHide, useDebouncedCallback } from 'lull'
import { useState } from 'react'

/** Keeps a draft in the browser: 500 ms after the last key, every 5 s while one types on, and when one leaves. */
export function Draft({ name, text: kept }: { name: string; text: string }) {
  const [text, setText] = useState(kept)
  const keep = useDebouncedCallback((draft: string) => localStorage.setItem(name, draft), 500, {
    maxWait: 5000,
    onUnmount: 'flush',
    flushOn: [pageHidden, pageHide],
  })
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
