import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { packageAlias } from '../../vite.config.ts'
import { folderOf, parts } from './parts.js'

const part = process.env.MUTATION_PART

export default defineConfig({
  cacheDir: 'test/mutation/.cache',
  resolve: {
    alias: [
      ...packageAlias('src'),
      { find: /^fast-check$/, replacement: join(import.meta.dirname, 'fewer-runs.js') },
      { find: 'all-of-fast-check', replacement: fileURLToPath(import.meta.resolve('fast-check')) },
    ],
  },
  test: {
    include: parts[part].tests.map((file) => `test/${folderOf(part)}/${file}.test.ts`),
    exclude: ['**/*.browser.test.ts'],
    runner: join(import.meta.dirname, 'serve-runs.js'),
    isolate: false,
    execArgv: ['--expose-gc'],
    testTimeout: 60_000,
    maxWorkers: 1,
    pool: 'forks',
    passWithNoTests: true,
  },
})
