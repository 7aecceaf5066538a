import { useDebounce } from 'lull'
import { useState } from 'react'

/** An HTML editor. The preview follows when typing stops, or every 2 s. */
export function HtmlEditor({ html }: { html: string }) {
  const [text, setText] = useState(html)
  const shown = useDebounce(text, 500, { maxWait: 2000 })
  return (
    <>
      <textarea
        aria-label="HTML"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <iframe
        title="Preview"
        sandbox=""
        srcDoc={shown}
        aria-busy={shown !== text}
      />
    </>
  )
}
