// The second config bundles a single import, to check what it includes.
export default [
  { mode: 'production', entry: { main: './main.js' } },
  {
    mode: 'production',
    entry: { 'only-debounce': './only-debounce.js' },
    output: { path: `${import.meta.dirname}/only` },
  },
]
