import { useDebouncedCallback } from 'use-debounce'

export function Diary({ save }: { save: (entry: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 5000, { flushOnExit: true })
  return (
    <textarea
      aria-label="Entry"
      onChange={(event) => saveSoon(event.target.value)}
    />
  )
}
