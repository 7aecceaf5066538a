import { useDebounce } from 'lull'

export function Caption({ text }: { text: string }) {
  const rested = useDebounce(text, 500)
  return <output>{rested}</output>
}
