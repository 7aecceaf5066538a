import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { packageAlias } from '../../vite.config.ts'

/** `npm run soak`: a million random steps, with a limit on heap growth. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: packageAlias('src') },
  test: {
    name: 'soak',
    include: ['test/chaos/soak.ts'],
    // Optimized code would count as growth.
    execArgv: ['--expose-gc', '--no-opt'],
    testTimeout: 900_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
})
