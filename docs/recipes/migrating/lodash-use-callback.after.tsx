import { useDebouncedCallback } from 'lull'

interface Props {
  folder: string
  store: (text: string, folder: string) => void
}

export function Upload({ folder, store }: Props) {
  const storeSoon = useDebouncedCallback(
    (text: string) => store(text, folder),
    300,
  )
  return (
    <input
      aria-label="Text"
      onChange={(event) => storeSoon(event.target.value)}
    />
  )
}
