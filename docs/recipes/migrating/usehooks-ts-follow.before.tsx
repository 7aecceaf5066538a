import { useDebounceValue } from 'usehooks-ts'

export function Caption({ text }: { text: string }) {
  const [debounced] = useDebounceValue(text, 500)
  return <output>{debounced}</output>
}
