import { pageHidden, pageHide, useDebouncedAsync } from 'lull'
import { useState } from 'react'

/** Saves what is written once the writer pauses, in order, and what is left when the note or the page is left. */
export function Note({ url, text: saved }: { url: string; text: string }) {
  const [text, setText] = useState(saved)
  const { run, status, error } = useDebouncedAsync(
    async (_signal, body: string) => {
      // Past the page's end too.
      const response = await fetch(url, { method: 'PUT', body, keepalive: true })
      if (!response.ok) throw new Error(`not saved: ${response.status}`)
    },
    1000,
    // The longest that anything is unsaved; one save at a time, then the last text.
    { maxWait: 10_000, overlap: 'queue', onUnmount: 'flush', flushOn: [pageHidden, pageHide] },
  )
  return (
    <label>
      Note
      <textarea
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          void run(event.target.value)
        }}
      />
      <output>{status === 'pending' ? 'saving …' : error instanceof Error ? error.message : 'saved'}</output>
    </label>
  )
}
