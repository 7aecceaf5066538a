import { useDebouncedCallback } from 'use-debounce'

export function Draft({ save }: { save: (text: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 500, { maxWait: 2000 })
  return (
    <label>
      Draft <textarea onChange={(event) => saveSoon(event.target.value)} />
      <button onClick={saveSoon.cancel}>Do not save</button>
      <button onClick={saveSoon.flush}>Save now</button>
    </label>
  )
}
