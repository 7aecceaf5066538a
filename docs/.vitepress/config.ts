import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { descriptionOf, functionGroups, llmsText, pagesIn, referenceGroups } from './pages.ts'
import { search } from './search.ts'
import { repositoryPage } from '../../scripts/repository-page.js'

const { name, repository } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { name: string; repository?: string | { url: string } }

const repositoryUrl = repositoryPage(repository)

const links: DefaultTheme.NavItem[] = [
  // As in the demo's build, whose link back is `homepage` of package.json.
  ...(process.env['DEMO_URL'] ? [{ text: 'Demo', link: process.env['DEMO_URL'] }] : []),
  // It is published once it has a repository: the provenance needs that.
  ...(repositoryUrl ? [{ text: 'npm', link: `https://www.npmjs.com/package/${name}` }] : []),
]

const start = [
  { text: 'Start', link: '/' },
  { text: 'Which one do I need?', link: '/which' },
  { text: 'Troubleshooting', link: '/troubleshooting' },
]

/** The reference, with what is in the module at `path`, if any. */
const referenceOf = (path?: string): DefaultTheme.SidebarItem => ({
  text: 'API reference',
  items: referenceGroups.map((group) => (group.link === path ? group : { ...group, items: [] })),
})

const sidebar: DefaultTheme.SidebarItem[] = [
  { items: start },
  {
    text: 'Guides',
    items: pagesIn('guides', [
      'search-box.md',
      'autosave.md',
      'forms.md',
      'optimistic-save.md',
      'like-button.md',
      'progress.md',
      'scroll-and-resize.md',
      'api-client.md',
      'handling-429.md',
      'how-it-paces.md',
      'next.md',
      'jest.md',
      'testing.md',
      'server-side.md',
      'runtimes.md',
      'other-frameworks.md',
      'with-other-libraries.md',
      'write-a-policy.md',
    ]),
  },
  ...functionGroups,
  { text: 'Moving from', collapsed: true, items: pagesIn('migrating', ['index.md']) },
  {
    text: 'Background',
    collapsed: true,
    items: pagesIn('.', [
      'algorithms.md',
      'pitfalls.md',
      'timing-diagrams.md',
      'comparison.md',
      'security.md',
      'not-ported.md',
    ]),
  },
  { text: 'Measurements', collapsed: true, items: pagesIn('results') },
  referenceOf(),
]

export default defineConfig({
  title: 'lull',
  description: 'Debounce and throttle for React, rate limits, and a fetch that waits after a 429',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  // Each token has a contrast of 4.5 and more with the ground, which those of the default themes have not.
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Docs', link: '/', activeMatch: '^/($|which|troubleshooting|guides|migrating)' },
      { text: 'Functions', link: '/functions/hooks', activeMatch: '^/functions/' },
      { text: 'Reference', link: '/api/', activeMatch: '^/api/' },
      ...links,
    ],
    ...(repositoryUrl?.includes('github.com') && { socialLinks: [{ icon: 'github', link: repositoryUrl }] }),
    // Only the pages of a module list what is in it: all of it in each page would be most of the site.
    sidebar: {
      '/': sidebar,
      ...Object.fromEntries<DefaultTheme.SidebarItem[]>(
        referenceGroups.map(({ link }) => [link!, [{ items: start }, referenceOf(link)]]),
      ),
    },
    outline: [2, 3],
    search,
    notFound: {
      title: 'Page not found',
      quote: 'Search for it, or start at the first page.',
      linkLabel: 'The first page',
      linkText: 'Start',
    },
  },
  // An empty one is replaced by that of the site.
  transformPageData: ({ filePath }) => ({ description: descriptionOf(filePath) }),
  buildEnd({ outDir, pages, srcDir }) {
    writeFileSync(join(outDir, 'llms.txt'), llmsText())
    // What llms.txt links to: the pages as they were written.
    for (const page of pages.filter((page) => existsSync(join(srcDir, page)))) {
      mkdirSync(dirname(join(outDir, page)), { recursive: true })
      cpSync(join(srcDir, page), join(outDir, page))
    }
  },
})
