import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { packageAlias } from '../vite.config.ts'
import { folderOf, parts } from './parts.js'

const part = process.env.MUTATION_PART

export default defineConfig({
  cacheDir: 'mutation/.cache',
  resolve: {
    alias: [
      ...packageAlias('src'),
      { find: /^fast-check$/, replacement: fileURLToPath(new URL('fewer-runs.js', import.meta.url)) },
      { find: 'all-of-fast-check', replacement: fileURLToPath(import.meta.resolve('fast-check')) },
    ],
  },
  test: {
    include: parts[part].tests.map((file) => `test/${folderOf(part)}/${file}.test.ts`),
    exclude: ['**/*.browser.test.ts'],
    runner: fileURLToPath(new URL('serve-runs.js', import.meta.url)),
    isolate: false,
    execArgv: ['--expose-gc'],
    testTimeout: 60_000,
    maxWorkers: 1,
    pool: 'forks',
    passWithNoTests: true,
  },
})
