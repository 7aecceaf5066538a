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
  const [{ edit }, setState] = useState({
    edit: { text: title },
    saved: title,
  })
  const { run, error } = useDebouncedAsync(
    (_signal, next: string) => save(next),
    500,
    { overlap: 'queue', onUnmount: 'flush' },
  )

  async function change(text: string): Promise<void> {
    // An object, because a newer edit may have the same text.
    const own = { text }
    setState(({ saved }) => ({ edit: own, saved }))
    try {
      const { status } = await run(text)
      if (status === 'done')
        setState(({ edit }) => ({ edit, saved: text }))
    } catch {
      // Roll back, unless there is a newer edit.
      setState(({ edit, saved }) => ({
        edit: edit === own ? { text: saved } : edit,
        saved,
      }))
    }
  }
  return (
    <label>
      Title
      <input
        value={edit.text}
        onChange={(event) => void change(event.target.value)}
      />
      <output>{error === undefined ? '' : 'Not saved'}</output>
    </label>
  )
}
