import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** Each option with its default, as the docstring of the source has it: undefined where that is a description. */
function documented(): Map<string, string | undefined> {
  const source = /interface RateLimitedFetchOptions \{\n(.*?)\n\}/s.exec(read('src/fetch/options.ts'))![1]!
  const members = source.matchAll(/\/\*\*(.*?)\*\/\s+(\w+)\?:/gs)
  return new Map(
    Array.from(members, ([, comment, name]) => {
      const said = /@default (.*?)\s*$/.exec(comment!)?.[1]
      return [name!, said && /^('.*'|[\d_]+|true|false|Infinity|\w+\.\w+|systemClock)$/.exec(said)?.[0]]
    }),
  )
}

/** The rows of the page's tables of options. */
function listed(): [name: string, value: string][] {
  const page = read('docs/functions/create-rate-limited-fetch.md')
  const options = /^## Options\n(.*?)^## /ms.exec(page)![1]!
  // A bar within a cell is escaped.
  const rows = options.matchAll(/^\| `(\w+)` +\|(?:\\\||[^|])*\|((?:\\\||[^|])*)\|/gm)
  return Array.from(rows, ([, name, value]) => [name!, value!.trim().replaceAll('`', '')])
}

it('the page of createRateLimitedFetch lists every option once, with its default', () => {
  const options = documented()
  expect(
    listed()
      .map(([name]) => name)
      .sort(),
  ).toEqual([...options.keys()].sort())
  for (const [name, value] of listed()) {
    const expected = options.get(name)
    if (expected !== undefined) expect([name, value.replace(' ', '_')]).toEqual([name, expected])
  }
  expect([...options.values()].filter((value) => value !== undefined).length).toBeGreaterThan(25)
})
