// @vitest-environment node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packedReadme } from '../../scripts/packed-readme.js'
import { repositoryPage } from '../../scripts/repository-page.js'

const page = 'https://git.example/owner/name'

it.each([
  ['owner/name', 'https://github.com/owner/name'],
  ['github:owner/name', 'https://github.com/owner/name'],
  [{ type: 'git', url: 'git+https://git.example/owner/name.git' }, page],
  ['git://git.example/owner/name.git', page],
  ['git+ssh://git@git.example/owner/name.git', page],
  ['git@git.example:owner/name.git', page],
  [undefined, undefined],
])('the page of the repository %j is %s', (repository, expected) => {
  expect(repositoryPage(repository)).toBe(expected)
})

it('a repository that is not a URL throws', () => {
  expect(() => repositoryPage('somewhere')).toThrow('repository: expected a URL or owner/name, got somewhere')
})

it.each([
  ['See [a `b`](docs/a.md#b)', `See [a \`b\`](${page}/blob/HEAD/docs/a.md#b)`, 'See a `b`'],
  // A sentence that is only a link.
  ['A. [b](b.md). C.', `A. [b](${page}/blob/HEAD/b.md). C.`, 'A. C.'],
  ['[a](./a.md "b")', `[a](${page}/blob/HEAD/a.md "b")`, 'a'],
  ['![a](a.png), [b](#b)', `![a](${page}/raw/HEAD/a.png), [b](#b)`, ', [b](#b)'],
  ['[![a](a.png)](a.md)', `[![a](${page}/raw/HEAD/a.png)](${page}/blob/HEAD/a.md)`, ''],
  [
    '[![a](a.png)](https://b.example)',
    `[![a](${page}/raw/HEAD/a.png)](https://b.example)`,
    '[](https://b.example)',
  ],
  [
    '<a href="a.md">a</a> [b](https://b.example)',
    `<a href="${page}/blob/HEAD/a.md">a</a> [b](https://b.example)`,
    'a [b](https://b.example)',
  ],
  [
    '<picture><source srcset="a.png 1x, b.png 2x" /><img src="a.png" /></picture>\n\nc',
    `<picture><source srcset="${page}/raw/HEAD/a.png 1x, ${page}/raw/HEAD/b.png 2x" /><img src="${page}/raw/HEAD/a.png" /></picture>\n\nc`,
    'c',
  ],
  ['```md\n[a](a.md)\n```', '```md\n[a](a.md)\n```', '```md\n[a](a.md)\n```'],
])('%s is packed as %s, and without a repository as %s', (text, withPage, withoutPage) => {
  expect(packedReadme(text, page)).toBe(withPage)
  expect(packedReadme(text, undefined)).toBe(withoutPage)
})

it.each([page, undefined])('the packed README has no relative link, with the repository %s', (repository) => {
  const text = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const prose = packedReadme(text, repository).replaceAll(/^```[\s\S]*?^```$/gm, '')
  const targets = [
    ...prose.matchAll(/\]\(([^\s)]+)|^\[[^\]]+\]:\s*(\S+)|\b(?:href|src|srcset)="([^"]+)"/gm),
  ].map(([, inline, reference, attribute]) => inline ?? reference ?? attribute!)
  expect(targets.filter((target) => !/^(#|https:\/\/)/.test(target))).toEqual([])
  expect(targets.some((target) => target.startsWith(`${repository}/`))).toBe(repository !== undefined)
})
