import { useDebouncedAsync } from 'lull'
import { useState } from 'react'

/** Shows an edit at once, saves it, and rolls it back if that fails. */
export function TitleField({
  title,
  save,
}: {
  title: string
  save: (title: string) => Promise<void>
}) {
  const [{ text }, setState] = useState({ text: title, saved: title })
  const { run, error } = useDebouncedAsync(
    (_signal, next: string) => save(next),
    500,
    { overlap: 'queue', onUnmount: 'flush' },
  )

  async function change(next: string): Promise<void> {
    setState(({ saved }) => ({ text: next, saved }))
    try {
      const { status } = await run(next)
      if (status === 'done')
        setState(({ text }) => ({ text, saved: next }))
    } catch {
      // Roll back, unless there is a newer edit.
      setState(({ text, saved }) => ({
        text: text === next ? saved : text,
        saved,
      }))
    }
  }
  return (
    <label>
      Title
      <input
        value={text}
        onChange={(event) => void change(event.target.value)}
      />
      <output>{error === undefined ? '' : 'Not saved'}</output>
    </label>
  )
}
