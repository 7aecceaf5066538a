import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { packageAlias } from '../../vite.config.ts'

/** A million steps of chaos, and memory that stays flat: `npm run soak`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: packageAlias('src') },
  test: {
    name: 'soak',
    include: ['test/chaos/{soak,soak-hooks}.ts'],
    execArgv: ['--expose-gc'],
    testTimeout: 900_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
})
