import { defineConfig } from 'vitepress'
import { functionGroups, pagesIn } from './pages.ts'

const guides = [
  { text: 'Start', link: '/' },
  { text: 'Which one', link: '/which' },
]
const background = pagesIn('.', [
  'algorithms.md',
  'pitfalls.md',
  'security.md',
  'comparison.md',
  'not-ported.md',
])

export default defineConfig({
  title: 'lull',
  description: 'Debounce, throttle and rate limits for React, and a fetch that paces itself',
  // The drawings follow the preference too, and could not follow a switch.
  appearance: 'force-auto',
  cleanUrls: true,
  themeConfig: {
    nav: [
      ...guides,
      { text: 'Functions', link: functionGroups[0]?.items[0]?.link ?? '/which', activeMatch: '^/functions/' },
      { text: 'Guides', link: '/guides/search-box', activeMatch: '^/(guides|migrating)/' },
      { text: 'Algorithms', link: '/algorithms' },
      { text: 'Reference', link: '/api/' },
    ],
    sidebar: [
      { items: guides },
      {
        text: 'Guides',
        items: pagesIn('guides', [
          'search-box.md',
          'autosave.md',
          'scroll-and-resize.md',
          'api-client.md',
          'with-other-libraries.md',
          'how-it-paces.md',
          'write-a-policy.md',
        ]),
      },
      ...functionGroups,
      { text: 'Coming from', collapsed: true, items: pagesIn('migrating', ['index.md']) },
      { text: 'Background', items: [...background, ...pagesIn('results')] },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
