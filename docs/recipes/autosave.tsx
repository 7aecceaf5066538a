import { pageHidden, useDebouncedAsync } from 'lull'
import { useState } from 'react'

/** Autosave: one save at a time, and a last one when the page closes. */
export function Note({ url, text: saved }: { url: string; text: string }) {
  const [text, setText] = useState(saved)
  const { run, status, error } = useDebouncedAsync(
    async (_signal, body: string) => {
      // A request that outlives the page has at most 64 KiB.
      const keepalive =
        document.visibilityState === 'hidden' &&
        new Blob([body]).size < 60_000
      const response = await fetch(url, { method: 'PUT', body, keepalive })
      if (!response.ok) throw new Error(`not saved: ${response.status}`)
    },
    1000,
    {
      maxWait: 10_000, // Save at least every 10 s.
      overlap: 'queue', // One save at a time, then the latest text.
      onUnmount: 'flush',
      flushOn: [pageHidden],
    },
  )
  const failure = error instanceof Error ? error.message : undefined
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
      <output>
        {status === 'pending' ? 'saving …' : (failure ?? 'saved')}
      </output>
    </label>
  )
}
