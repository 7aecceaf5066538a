// @vitest-environment node
// The documentation site as built by `npm run docs:build`.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { functionGroups, referenceGroups } from '../../docs/.vitepress/pages.ts'
import { search } from '../../docs/.vitepress/search.ts'

const docs = join(import.meta.dirname, '../../docs')
const site = join(docs, '.vitepress/dist')
const chunks = join(site, 'assets/chunks')

interface Result {
  id: string
}
interface MiniSearch {
  loadJSON: (index: string, options: object) => { search: (query: string) => Result[] }
}

// The search library that VitePress uses.
const MiniSearch = createRequire(createRequire(import.meta.url).resolve('vitepress'))(
  'minisearch',
) as MiniSearch

let find: (query: string) => string[]

beforeAll(async () => {
  const name = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'))!
  const index = (
    (await import(/* @vite-ignore */ pathToFileURL(join(chunks, name)).href)) as { default: string }
  ).default
  const { options, searchOptions } = search.options!.miniSearch!
  // Same options as in VPLocalSearchBox.
  const loaded = MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
    ...options,
  })
  find = (query) => loaded.search(query).map(({ id }) => id)
})

it.each([
  ['debounce', '/functions/use-debounce#'],
  ['useDebounce', '/functions/use-debounce#'],
  ['throttle', '/functions/use-throttle'],
  ['autosave', '/guides/autosave#'],
  ['SSR', '/guides/next#'],
  ['Next.js', '/guides/next#'],
  ['Jest', '/guides/jest#'],
  ['Retry-After', '/guides/api-client#'],
  ['429', '/guides/'],
  ['CORS', ''],
  ['race condition', ''],
  ['typeahead', '/guides/search-box#'],
  ['autocomplete', '/guides/search-box#'],
  ['out-of-order responses', ''],
  ['stale closure', ''],
  ['exponential backoff', ''],
  ['probe request', ''],
  ['like button', '/guides/like-button#'],
  ['progress', '/guides/progress#'],
  ['lodash', '/migrating/lodash#'],
  ['p-queue', '/migrating/p-queue#'],
  ['axios-retry', '/migrating/axios-retry#'],
  ['express-rate-limit', '/migrating/server-limits#'],
  ['bottleneck', '/migrating/bottleneck#'],
])('the search finds %j first at %s', (query, first) => {
  const results = find(query)
  expect(results[0]).toBeDefined()
  expect(results[0]!.slice(0, first.length), results.slice(0, 5).join(' ')).toBe(first)
})

it('the search omits the pages of measurements', () => {
  for (const query of ['benchmark', 'race', 'mutation', 'lull', 'ms'])
    expect(find(query).filter((id) => id.startsWith('/results/'))).toEqual([])
})

/** Returns the contrast of two colours `#rrggbb` by WCAG 2, section 1.4.3. */
function contrast(one: string, other: string): number {
  const [light, dark] = [one, other]
    .map((colour) => {
      const [red, green, blue] = colour.match(/\w\w/g)!.map((part) => {
        const share = parseInt(part, 16) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05
    })
    .sort((a, b) => b - a)
  return light! / dark!
}

it.each([
  ['light', ':root'],
  ['dark', '.dark'],
])('each %s colour of code has a contrast of 4.5 with its background', (name, selector) => {
  const style = readFileSync(join(docs, '.vitepress/theme/style.css'), 'utf8')
  const ground = new RegExp(`^${selector} \\{.*?--vp-c-bg-alt: (#\\w{6})`, 'ms').exec(style)![1]!
  const pages = [
    'functions/use-debounce.html',
    'functions/create-rate-limited-fetch.html',
    'guides/next.html',
  ]
  const html = pages.map((page) => readFileSync(join(site, page), 'utf8')).join('')
  const colours = new Set(
    Array.from(html.matchAll(new RegExp(`--shiki-${name}:(#\\w{6})`, 'g')), ([, hex]) => hex!),
  )
  expect(colours.size).toBeGreaterThan(4)
  for (const colour of colours) expect(contrast(colour, ground), colour).toBeGreaterThanOrEqual(4.5)
})

it('each page of a function has a description of its own', () => {
  const descriptions = functionGroups
    .flatMap(({ items }) => items)
    .map(({ link }) => readFileSync(join(site, `${link}.html`), 'utf8'))
    .map((html) => /<meta name="description" content="(.*?)"/.exec(html)![1])
  expect(descriptions).toEqual([...new Set(descriptions)])
})

it('the sidebar names each page once, as it is imported', () => {
  for (const { items } of [...functionGroups, ...referenceGroups]) {
    const links = items!.map(({ link }) => link)
    expect(links).toEqual([...new Set(links)])
    for (const { text } of items!) expect(text).not.toMatch(/[\\<]/)
  }
})

it('the reference names every parameter', () => {
  const pages = readdirSync(join(docs, 'api'), { recursive: true, encoding: 'utf8' })
  const unnamed = pages.filter(
    (page) =>
      page.endsWith('.md') && readFileSync(join(docs, 'api', page), 'utf8').includes('__namedParameters'),
  )
  expect(unnamed).toEqual([])
})

describe('llms.txt', () => {
  const text = readFileSync(join(site, 'llms.txt'), 'utf8')
  const links = Array.from(text.matchAll(/\]\(\/(.*?)\)/g), ([, path]) => path!)

  it('links to the source of each page of a function and of each guide', () => {
    const folders = ['functions', 'guides', 'migrating']
    for (const folder of folders)
      for (const name of readdirSync(join(docs, folder))) expect(links).toContain(`${folder}/${name}`)
  })

  it.each(links)('%s exists', (path) => {
    expect(readFileSync(join(site, path), 'utf8')).toMatch(/^# /m)
  })

  it('describes each function', () => {
    expect(text).toMatch(/^- \[useDebounce\]\(\S+\): Returns `value` after it has stopped changing/m)
    for (const line of text.match(/^- \[.*\]\(\/functions\/.*$/gm)!) expect(line).toMatch(/\): \S/)
  })
})
