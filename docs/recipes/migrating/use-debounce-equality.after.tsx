import { useDebounce } from 'lull'

export function Filter({ word, tag }: { word: string; tag: string }) {
  const filter = useDebounce({ word, tag }, 400)
  return <output>{`${filter.word} in ${filter.tag}`}</output>
}
