// The second has one import by itself, to see what comes along with it.
export default [
  { mode: 'production', entry: { main: './main.js' } },
  {
    mode: 'production',
    entry: { 'only-debounce': './only-debounce.js' },
    output: { path: `${import.meta.dirname}/only` },
  },
]
