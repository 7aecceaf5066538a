import { useDebouncedCallback } from 'lull'

export function Address({ save }: { save: (address: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 500, { onUnmount: 'flush' })
  return (
    <input
      aria-label="Address"
      onChange={(event) => saveSoon(event.target.value)}
    />
  )
}
