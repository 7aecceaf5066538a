import { useDebounce } from 'use-debounce'

export function Filter({ word, tag }: { word: string; tag: string }) {
  const [filter] = useDebounce({ word, tag }, 400, {
    equalityFn: (a, b) => a.word === b.word && a.tag === b.tag,
  })
  return <output>{`${filter.word} in ${filter.tag}`}</output>
}
