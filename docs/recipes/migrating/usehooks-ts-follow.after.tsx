import { useDebounce } from 'lull'

export function Caption({ text }: { text: string }) {
  const debounced = useDebounce(text, 500)
  return <output>{debounced}</output>
}
