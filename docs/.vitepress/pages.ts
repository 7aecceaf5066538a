import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

const docs = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8')

/** The first heading of a page, without its marks of code. */
const titleOf = (page: string): string => /^# (.*)$/m.exec(page)?.[1]?.replaceAll('`', '') ?? ''

interface Page {
  text: string
  link: string
}

/** The pages of a folder of `docs`: those named first come first, as far as they are there, the others by their names. */
export function pagesIn(folder: string, first: readonly string[] = []): Page[] {
  if (!existsSync(new URL(`${folder}/`, docs))) return []
  const names = readdirSync(new URL(`${folder}/`, docs)).filter((name) => name.endsWith('.md'))
  const later = folder === '.' ? [] : names.filter((name) => !first.includes(name)).sort()
  return [...first.filter((name) => names.includes(name)), ...later].map((name) => {
    const path = `${folder}/${name}`
    return {
      text: titleOf(read(path)),
      link: `/${path.replace(/^\.\//, '').replace(/(index)?\.md$/, '')}`,
    }
  })
}

const entries = [
  { text: 'lull: hooks', source: '../src/react/index.ts' },
  { text: 'lull/core', source: '../src/core/index.ts' },
  { text: 'lull/fetch', source: '../src/fetch/index.ts' },
  { text: 'lull/redis', source: '../src/redis/index.ts' },
  { text: 'lull/tabs', source: '../src/tabs/index.ts' },
  { text: 'lull/testing', source: '../src/testing/index.ts' },
] as const

/** The pages of `functions` by the entry that exports what their title names first; what none does is about the hooks. */
export const functionGroups: (DefaultTheme.SidebarItem & { items: Page[] })[] = (() => {
  // Without the paths: use-batch.ts is not batch.
  const exported = entries.map(({ source }) => new Set(read(source).replace(/'.*?'/g, '').match(/\w+/g)))
  const groups = entries.map(({ text }) => ({ text, collapsed: true, items: [] as Page[] }))
  for (const page of pagesIn('functions', ['hooks.md'])) {
    const entry = exported.findIndex((names) => names.has(/^\w+/.exec(page.text)?.[0] ?? ''))
    groups[Math.max(entry, 0)]!.items.push(page)
  }
  return groups.filter(({ items }) => items.length > 0)
})()
