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

/** The pages of a folder of `docs`: those named first, as far as they exist, then the others by their names. */
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
  { text: 'lull: hooks', source: 'react' },
  { text: 'lull/core', source: 'core' },
  { text: 'lull/fetch', source: 'fetch' },
  { text: 'lull/redis', source: 'redis' },
  { text: 'lull/tabs', source: 'tabs' },
  { text: 'lull/testing', source: 'testing' },
] as const

/** By use, not by letter; what is not named comes last. */
const byUse = [
  ...['hooks', 'use-debounce', 'use-debounced-callback', 'use-debounced-async', 'use-rate-limited-fetch'],
  ...['use-throttled-callback', 'use-throttle', 'use-throttled-event', 'use-throttled-resize'],
  ...['use-debounced-state', 'use-is-pending', 'use-batch', 'use-rate-limit-status', 'use-countdown'],
  ...['rate-limit-provider', 'use-limiter', 'use-rate-meter', 'page-hidden', 'composing', 'clock-provider'],
  ...['use-clock', 'debounce', 'throttle', 'throttle-frame', 'debounce-async', 'debounce-keyed', 'batch'],
  ...['create-limiter', 'create-keyed-limiter', 'with-blocks', 'create-queue', 'create-concurrency-limiter'],
  ...['token-bucket', 'gcra', 'leaky-bucket', 'fixed-window', 'sliding-window-log', 'sliding-window-counter'],
  ...['every', 'all-of', 'create-circuit-breaker', 'create-adaptive-limiter', 'aimd', 'success-ratio'],
  ...['gradient-limit', 'create-rate-meter', 'sometimes', 'limiter-health', 'sampled', 'rate-limit-error'],
  ...['clocks', 'token-bucket-class', 'create-rate-limited-fetch', 'compose-rate-limited-fetch'],
  ...['learn-pace', 'rate-limit-fields', 'limit-rate', 'priorities', 'queue-timeout', 'retry-budget'],
  ...['circuit-breaker', 'page-lifecycle', 'hold-slot', 'dedupe-fetch', 'supersede-fetch'],
  ...['is-rate-limit-error', 'retry-after-ms', 'parse-retry-after', 'read-rate-limit'],
].map((name) => `${name}.md`)

/** The pages of `functions` by the entry that exports what their title names first; what none does is about the hooks. */
export const functionGroups: (DefaultTheme.SidebarItem & { items: Page[] })[] = (() => {
  // Without the paths: use-batch.ts is not batch.
  const exported = entries.map(
    ({ source }) => new Set(read(`../src/${source}/index.ts`).replace(/'.*?'/g, '').match(/\w+/g)),
  )
  const groups = entries.map(({ text }, index) => ({ text, collapsed: index > 0, items: [] as Page[] }))
  for (const page of pagesIn('functions', byUse)) {
    const entry = exported.findIndex((names) => names.has(/^\w+/.exec(page.text)?.[0] ?? ''))
    groups[Math.max(entry, 0)]!.items.push(page)
  }
  return groups.filter(({ items }) => items.length > 0)
})()

const kinds = ['functions', 'variables', 'classes', 'interfaces', 'type-aliases'] as const

/** The reference that TypeDoc made from the docstrings, by import path. */
export const referenceGroups: DefaultTheme.SidebarItem[] = entries.map(({ source }) => ({
  text: source === 'react' ? 'lull' : `lull/${source}`,
  link: `/api/${source}/`,
  items: kinds.flatMap((kind) =>
    pagesIn(`api/${source}/${kind}`).map(({ text, link }) => ({
      // `Function: name()\<Type\>`
      text: text.replace(/^.*?: /, '').replace(/\\?<.*/, ''),
      link,
    })),
  ),
}))

/** The first paragraph of a page, without its links. */
const summaryOf = (page: string): string =>
  (/^# .*\n\n(?!```|<!--|[#|>-]|\d+\.)([^\n]+(?:\n[^\n]+)*)/m.exec(page)?.[1] ?? '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\n', ' ')

/** The same as plain text, for search engines and previews of links. A page of the reference has its signature first. */
export const descriptionOf = (path: string): string =>
  summaryOf(read(path).replace(/^> .*\n\n/m, '')).replaceAll(/[`*\\]/g, '')

/** An overview for language models (llmstxt.org): each page with its first paragraph. */
export function llmsText(): string {
  const section = (title: string, pages: Page[]): string => {
    const lines = pages.map(({ text, link }) => {
      const path = `${link.replace(/\/$/, '/index')}.md`
      return `- [${text}](${path}): ${summaryOf(read(path.slice(1)))}`.replace(/: $/, '')
    })
    return `## ${title}\n\n${lines.join('\n')}\n`
  }
  const start = read('index.md')
  return [
    `# ${titleOf(start)}\n\n> ${summaryOf(start)}\n`,
    section('Start', pagesIn('.', ['index.md', 'which.md', 'pitfalls.md', 'algorithms.md', 'comparison.md'])),
    section('Guides', pagesIn('guides')),
    ...functionGroups.map(({ text, items }) => section(text ?? '', items)),
    section('Moving from another library', pagesIn('migrating')),
  ].join('\n')
}
