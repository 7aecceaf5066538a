import { foldName } from '../../server/fold-name.ts'

/**
 * Which part of `name` the server has found `query` in, by its own measure of letters: the beginning of a word if
 * there is one. An empty range if it is nowhere.
 */
export function matchRange(name: string, query: string): readonly [from: number, to: number] {
  const needle = foldName(query)
  if (needle === '') return [0, 0]
  const isLetter = (index: number) => foldName(name.charAt(index)) !== ''
  const starts = Array.from({ length: name.length }, (_, index) => index).filter(
    (index) => isLetter(index) && foldName(name.slice(index)).startsWith(needle),
  )
  const from = starts.find((index) => index === 0 || !isLetter(index - 1)) ?? starts[0]
  if (from === undefined) return [0, 0]
  let to = from + 1
  while (foldName(name.slice(from, to)).length < needle.length) to++
  return [from, to]
}
