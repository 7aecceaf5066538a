import { useEffect } from 'react'
import { useDebouncedCallback } from 'use-debounce'

export function Address({ save }: { save: (address: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 500)
  useEffect(
    () => () => {
      saveSoon.flush()
    },
    [saveSoon],
  )
  return (
    <input
      aria-label="Address"
      onChange={(event) => saveSoon(event.target.value)}
    />
  )
}
