import { pageHidden, pageHide, useDebouncedCallback } from 'lull'

/** Saves a second after the last keystroke, or when the page closes. */
export function Note({ save }: { save: (text: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 1000, {
    onUnmount: 'flush',
    flushOn: [pageHidden, pageHide],
  })
  return (
    <textarea
      aria-label="Note"
      onChange={(event) => saveSoon(event.target.value)}
    />
  )
}
