/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  entryPoints: [
    'src/react/index.ts',
    'src/core/index.ts',
    'src/fetch/index.ts',
    'src/redis/index.ts',
    'src/tabs/index.ts',
    'src/testing/index.ts',
  ],
  tsconfig: 'tsconfig.build.json',
  plugin: ['typedoc-plugin-markdown', './scripts/name-options.js'],
  out: 'docs/api',
  readme: 'none',
  disableSources: true,
  entryFileName: 'index',
  intentionallyNotExported: [
    'src/core/debounce/debounce.ts:ArgsOf',
    'src/core/debounce/debounce.ts:ThisOf',
    'src/core/debounce/debounce.ts:Uninferred',
    'src/core/debounce/debounce-keyed.ts:Given',
    'src/core/adaptive/limiter-health.ts:Counts',
    'src/react/hooks/use-throttled-event.ts:EventOf',
    'src/react/hooks/use-throttled-resize.ts:Handler',
    'src/react/hooks/use-debounce.ts:TimedValueOptions',
    'src/fetch/options.ts:WithoutDefault',
    'src/redis/create-redis-limiter.ts:Happening',
  ],
  hidePageHeader: true,
  hideBreadcrumbs: true,
  // A module has the name that is imported.
  pageTitleTemplates: { module: ({ name }) => (name === 'react' ? 'lull' : `lull/${name}`) },
}
