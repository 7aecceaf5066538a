import { useDebouncedCallback } from 'lull'
import { useEffect, useRef, useState } from 'react'

type Props = { inUrl: string; write: (text: string) => void }

/** A search field. `write` puts its text into the URL. */
export function UrlField({ inUrl, write }: Props) {
  const [text, setText] = useState(inUrl)
  const written = useRef(inUrl)
  const writeSoon = useDebouncedCallback((next: string) => {
    written.current = next
    write(next)
  }, 300)
  const { cancel, flush } = writeSoon
  useEffect(() => {
    if (inUrl === written.current) return
    // Back, forward or a link changed the URL.
    written.current = inUrl
    cancel()
    setText(inUrl)
  }, [inUrl, cancel])
  return (
    <input
      aria-label="Search"
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        writeSoon(event.target.value)
      }}
      onBlur={flush}
    />
  )
}
