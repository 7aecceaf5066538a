import { expect, it } from 'vitest'
import { read } from './markdown.ts'

/** Each option with the default of its docstring; undefined if that default is a description. */
function documented(name: string, path: string): Map<string, string | undefined> {
  const source = new RegExp(`interface ${name} [^\\n]*\\{\\n(.*?)\\n\\}`, 's').exec(read(path))![1]!
  const members = source.matchAll(/\/\*\*(.*?)\*\/\s+(\w+)\?:/gs)
  return new Map(
    Array.from(members, ([, comment, option]) => {
      const text = /@default (.*?)\s*$/.exec(comment!)?.[1]
      return [option!, text && /^('.*'|[\d_]+|true|false|Infinity|\w+\.\w+|systemClock)$/.exec(text)?.[0]]
    }),
  )
}

function listed(page: string): [name: string, value: string][] {
  const options = /^## Options\n(.*?)^## /ms.exec(read(`docs/functions/${page}.md`))![1]!
  // A bar in a cell is escaped.
  const rows = options.matchAll(/^\| `(\w+)` +\|(?:\\\||[^|])*\|((?:\\\||[^|])*)\|/gm)
  return Array.from(rows, ([, name, value]) => [name!, value!.trim().replaceAll('`', '')])
}

it.each([
  ['compose-rate-limited-fetch', 'ComposeOptions', 'src/fetch/options.ts', 12],
  ['create-rate-limited-fetch', 'RateLimitedFetchOptions', 'src/fetch/create-rate-limited-fetch.ts', 2],
])('the page %s lists every option of %s once, with its default', (page, name, path, most) => {
  const options = documented(name, path)
  const names = listed(page).map(([option]) => option)
  expect(names.sort()).toEqual([...options.keys()].sort())
  for (const [option, value] of listed(page)) {
    const expected = options.get(option)
    if (expected !== undefined) expect([option, value.replace(',', '_')]).toEqual([option, expected])
  }
  expect([...options.values()].filter((value) => value !== undefined).length).toBeGreaterThanOrEqual(most)
})
