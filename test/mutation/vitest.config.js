import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { packageAlias } from '../../vite.config.ts'

const part = process.env.MUTATION_PART

export default defineConfig({
  cacheDir: 'test/mutation/.cache',
  resolve: {
    alias: [
      ...packageAlias('src'),
      { find: /^fast-check$/, replacement: join(import.meta.dirname, 'first-failure.js') },
      { find: 'all-of-fast-check', replacement: fileURLToPath(import.meta.resolve('fast-check')) },
    ],
  },
  test: {
    // A folder's own tests, the chaos test for the core, and those of the users of shared code.
    include: [
      part === 'react' ? 'test/react/**/*.dom.test.tsx' : `test/${part}/**/*.test.ts`,
      ...(part.startsWith('core/') ? ['test/chaos/chaos.test.ts'] : []),
      ...(part === 'core/time' ? ['test/fetch/gate/clocks.test.ts'] : []),
      ...(part === 'core/shared'
        ? [
            'test/core/{limit/laws/bad-arguments,adaptive/laws}.test.ts',
            'test/fetch/requests/options.test.ts',
          ]
        : []),
    ],
    environment: part === 'react' ? 'jsdom' : 'node',
    setupFiles: ['test/setup.ts', ...(part === 'react' ? ['test/react/setup.ts'] : [])],
    // With Preact the modules are loaded again, so that their constants would count as tested.
    exclude: ['**/*.{browser,page}.test.ts', 'test/fetch/servers/**', '**/race*', '**/preact*'],
    runner: join(import.meta.dirname, 'serve-runs.js'),
    isolate: false,
    testTimeout: 60_000,
    maxWorkers: 1,
    pool: 'forks',
    passWithNoTests: true,
  },
})
