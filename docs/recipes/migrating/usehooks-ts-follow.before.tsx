import { useDebounceValue } from 'usehooks-ts'

export function Caption({ text }: { text: string }) {
  const [rested] = useDebounceValue(text, 500)
  return <output>{rested}</output>
}
