import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { pages, read } from './markdown.ts'

const root = new URL('../../', import.meta.url)

const titlesOf = (page: string): string[] =>
  Array.from(
    read(page)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
    ([, title]) => title!,
  )
// The anchors of a heading on GitHub and on the site. Links may use only anchors that are the same in both.
const onGitHub = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
const onSite = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll('`', '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
const withoutImports = (path: string): string => read(`docs/recipes/${path}`).replaceAll(/^import .*\n/gm, '')
const paths = readdirSync(new URL('docs/recipes/', root), { encoding: 'utf8', recursive: true })
const recipes = paths
  // A page says so if only the import changes, and shows neither.
  .filter((path) => {
    const before = path.replace('.after.', '.before.')
    const after = path.replace('.before.', '.after.')
    return before === after || !paths.includes(before) || withoutImports(before) !== withoutImports(after)
  })
  .map((path) => /^(.*)\.(tsx?)$/.exec(path)?.slice(1))
  .filter((recipe) => recipe !== undefined)

it.each(recipes)('the recipe %s is in the documentation exactly as tested', (name, language) => {
  const code = read(`docs/recipes/${name}.${language}`)
  const block = `<!-- recipe: ${name} -->\n\n\`\`\`${language}\n${code}\`\`\`\n`
  expect(pages.filter((page) => read(page).includes(block))).toHaveLength(1)
})

/** The links of a page to files of this package, each with its heading. */
const linksOf = (page: string) =>
  Array.from(
    read(page).matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)#"]*)(?:#([^)]+))?/g),
    ([, path, heading]) => [path ? join(dirname(page), path) : page, heading] as const,
  )

it.each(pages.filter((page) => linksOf(page).length > 0))(
  '%s links only to existing files and headings',
  (page) => {
    for (const [path, heading] of linksOf(page)) {
      expect(existsSync(new URL(path, root)), path).toBe(true)
      if (heading === undefined) continue
      expect(titlesOf(path).map(onGitHub), path).toContain(heading)
      expect(titlesOf(path).map(onSite), path).toContain(heading)
    }
  },
)

it('the README starts with the first recipe', () => {
  expect(read('README.md')).toContain(`\`\`\`tsx\n${read('docs/recipes/start.tsx')}\`\`\`\n`)
})

const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()))

it('the table of other libraries in the README matches the comparison', () => {
  const compared = new Map(rowsOf(read('docs/comparison.md')).map(([title, ...cells]) => [title!, cells]))
  const table = /<!-- from docs\/comparison.md -->\n\n(.*?)\n\n/s.exec(read('README.md'))![1]!
  const [, , ...rows] = rowsOf(table)
  expect(rows.length).toBeGreaterThan(4)
  for (const [title, ...cells] of rows)
    expect(cells, title).toEqual(compared.get(title!)?.slice(0, cells.length))
})

it('the comparison of ways to handle 429 shows what the race measured', () => {
  const rows = (page: string, heading: string): string[][] =>
    rowsOf(read(page).split(heading)[1]!.split(/^##/m)[0]!).slice(2)
  const measured = rows('docs/results/race.md', '### S1: `Retry-After`')
    .map(([, ...numbers]) => numbers.slice(0, 3).join())
    .sort()
  const shown = rows('docs/guides/handling-429.md', '## Measured').map(([, ...numbers]) => numbers.join())
  expect(shown).toHaveLength(8)
  expect(shown.sort()).toEqual(measured)
})
