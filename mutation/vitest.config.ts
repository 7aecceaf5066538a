import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { VitestPluginContext } from 'vitest/node'
import { packageAlias } from '../vite.config.ts'
import { KillersFirst } from './killers-first.js'

const folder = process.env['MUTATION_FOLDER'] ?? 'core'

/** A time zone of one's own, and a way to collect garbage, are a process's: in the threads that are asked for they are not. */
const inProcesses = {
  name: 'in-processes',
  configureVitest({ project }: VitestPluginContext) {
    project.config.pool = 'forks'
  },
}

export default defineConfig({
  cacheDir: 'mutation/.cache',
  plugins: [inProcesses],
  resolve: {
    alias: [
      ...packageAlias('src'),
      { find: /^fast-check$/, replacement: fileURLToPath(new URL('fewer-runs.js', import.meta.url)) },
      { find: 'all-of-fast-check', replacement: fileURLToPath(import.meta.resolve('fast-check')) },
    ],
  },
  test: {
    include: [`test/{${folder},composition}/**/*.test.ts`],
    exclude: [
      '**/*.browser.test.ts',
      'test/fetch/real-server-*',
      'test/fetch/race.test.ts',
      'test/core/recipes.test.ts',
    ],
    runner: fileURLToPath(new URL('quick-runner.js', import.meta.url)),
    isolate: false,
    execArgv: ['--expose-gc'],
    testTimeout: 60_000,
    sequence: { sequencer: KillersFirst },
  },
})
