import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { each } from '../measure.js'

const root = join(import.meta.dirname, '../..')

/** The module and the import of each library. */
const imports = {
  'Size of a debounce': {
    goal: 950,
    lull: ['../../dist/core/index.js', '{ debounce }'],
    lodash: ['lodash/debounce.js', 'debounce'],
    'es-toolkit': ['es-toolkit', '{ debounce }'],
    'es-toolkit/compat': ['es-toolkit/compat', '{ debounce }'],
    'TanStack Pacer': ['@tanstack/pacer/debouncer', '{ debounce }'],
  },
  'Size of a throttle': {
    lull: ['../../dist/core/index.js', '{ throttle }'],
    lodash: ['lodash/throttle.js', 'throttle'],
    'es-toolkit': ['es-toolkit', '{ throttle }'],
    'TanStack Pacer': ['@tanstack/pacer/throttler', '{ throttle }'],
  },
  'Size of a rate limit': {
    goal: 1150,
    lull: ['../../dist/core/index.js', '{ createLimiter, tokenBucket }'],
    limiter: ['limiter', '{ TokenBucket }'],
    'TanStack Pacer': ['@tanstack/pacer/rate-limiter', '{ rateLimit }'],
    'p-throttle': ['p-throttle', 'pThrottle'],
  },
  'Size of a queue': {
    goal: 2600,
    lull: ['../../dist/core/index.js', '{ createQueue }'],
    'p-queue': ['p-queue', 'PQueue'],
    Bottleneck: ['bottleneck/light.js', 'Bottleneck'],
    'TanStack Pacer': ['@tanstack/pacer/async-queuer', '{ AsyncQueuer }'],
  },
  'Size of a debounced value': {
    goal: 1280,
    lull: ['../../dist/react/index.js', '{ useDebounce }'],
    'use-debounce': ['use-debounce', '{ useDebounce }'],
    '@mantine/hooks': ['@mantine/hooks', '{ useDebouncedValue }'],
    'TanStack Pacer': ['@tanstack/react-pacer/debouncer', '{ useDebouncedValue }'],
  },
  'Size of a debounced callback': {
    goal: 1270,
    lull: ['../../dist/react/index.js', '{ useDebouncedCallback }'],
    'use-debounce': ['use-debounce', '{ useDebouncedCallback }'],
    '@mantine/hooks': ['@mantine/hooks', '{ useDebouncedCallback }'],
    'TanStack Pacer': ['@tanstack/react-pacer/debouncer', '{ useDebouncedCallback }'],
  },
  'Size of a rate-limited fetch': {
    goal: 7000,
    lull: ['../../dist/fetch/index.js', '{ createRateLimitedFetch }'],
    'lull, composeRateLimitedFetch': ['../../dist/fetch/index.js', '{ composeRateLimitedFetch }'],
    ky: ['ky', 'ky'],
    Bottleneck: ['bottleneck/light.js', 'Bottleneck'],
  },
}

/** Measures imports with the program that checks the package's size limits. */
function measureSizes(packages) {
  const checks = packages.map(([source, what]) => {
    const path = fileURLToPath(import.meta.resolve(source))
    return { path, import: { [path]: what }, gzip: true, ignore: ['react', 'react-dom'] }
  })
  const folder = mkdtempSync(join(tmpdir(), 'sizes-'))
  try {
    const config = join(folder, '.size-limit.json')
    writeFileSync(config, JSON.stringify(checks))
    const program = join(dirname(fileURLToPath(import.meta.resolve('size-limit'))), 'bin.js')
    const output = execFileSync(process.execPath, [program, '--json', '--config', config], {
      cwd: root,
      // Hides its warnings of imports without effect.
      stdio: 'pipe',
    })
    return JSON.parse(output).map(({ size }) => size)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export default () => {
  const tables = Object.entries(imports).map(([title, { goal, ...packages }]) => ({ title, goal, packages }))
  const sizes = measureSizes(tables.flatMap(({ packages }) => Object.values(packages)))
  return tables.map(({ title, goal, packages }) => ({
    title,
    about: Object.entries(packages)
      .map(([name, [, what]]) => `${name} \`${what}\``)
      .join(', '),
    unit: 'bytes',
    goal: goal && { row: 'lull', median: goal },
    rounds: 1,
    warmUp: 0,
    candidates: each(packages, () => {
      const size = sizes.shift()
      return () => size
    }),
  }))
}
