import { useDebouncedCallback } from 'lull'

export function Letter({ save }: { save: (text: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 300, { onUnmount: 'flush' })
  return (
    <textarea
      aria-label="Text"
      onChange={(event) => saveSoon(event.target.value)}
    />
  )
}
