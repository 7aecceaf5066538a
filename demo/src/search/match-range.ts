import { foldName } from '../../server/fold-name.ts'

/**
 * The range of `name` that matches `query` after the same folding as on the server. Prefers the start of a
 * word. Empty if there is no match.
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
