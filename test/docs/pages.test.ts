import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const docs = new URL('../../docs/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8')
// What is made from the docstrings is checked when it is made.
const pages = readdirSync(docs, { encoding: 'utf8', recursive: true }).filter(
  (path) => path.endsWith('.md') && !/^(api|\.vitepress)\//.test(path),
)
const titles = (page: string): string[] =>
  [
    ...read(page)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title]) => title!)
// How GitHub names a title, and how the site does: links are to what both name the same.
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
const recipes = readdirSync(new URL('recipes/', docs), { encoding: 'utf8', recursive: true })
  .map((path) => /^(.*)\.(tsx?)$/.exec(path)?.slice(1))
  .filter((recipe) => recipe !== undefined)

it.each(recipes)('the recipe %s stands in the documentation as it is tested', (name, language) => {
  const code = read(`recipes/${name}.${language}`)
  const block = `<!-- recipe: ${name} -->\n\n\`\`\`${language}\n${code}\`\`\`\n`
  expect(pages.filter((page) => read(page).includes(block))).toHaveLength(1)
})

it.each(pages)('%s links to nothing that is not there', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!)
  const folder = dirname(page)
  for (const path of links) expect(() => read(join(folder, path)), path).not.toThrow()
})

it.each(pages)('%s links to no part of a page that is not there', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
  for (const [link, path, part] of links) {
    const named = titles(path ? join(dirname(page), path) : page)
    expect(named.map(onGitHub), link).toContain(part)
    expect(named.map(onSite), link).toContain(part)
  }
})

it('the README begins as the documentation does, and links to nothing that is not there', () => {
  const readme = read('../README.md')
  expect(readme).toContain(`\`\`\`tsx\n${read('recipes/start.tsx')}\`\`\`\n`)
  for (const [, path] of readme.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)#"]+)/g))
    expect(existsSync(new URL(`../${path}`, docs)), path).toBe(true)
})

const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()))

it('what the README says of other libraries is what the comparison says', () => {
  const compared = new Map(rowsOf(read('comparison.md')).map(([title, ...cells]) => [title!, cells]))
  const table = /<!-- from docs\/comparison.md -->\n\n(.*?)\n\n/s.exec(read('../README.md'))![1]!
  const [, , ...rows] = rowsOf(table)
  expect(rows.length).toBeGreaterThan(4)
  for (const [title, ...cells] of rows)
    expect(cells, title).toEqual(compared.get(title!)?.slice(0, cells.length))
})
