import { pageHidden, pageHide, useDebouncedCallback } from 'lull'

export function Diary({ save }: { save: (entry: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 5000, {
    onUnmount: 'flush',
    flushOn: [pageHidden, pageHide],
  })
  return (
    <textarea
      aria-label="Entry"
      onChange={(event) => saveSoon(event.target.value)}
    />
  )
}
