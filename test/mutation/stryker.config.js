import { join } from 'node:path'
import { slugOf } from './parts.js'

const part = process.env.MUTATION_PART

export default {
  plugins: [join(import.meta.dirname, 'warm-runner.js')],
  testRunner: 'warm',
  // Subfolders are separate parts, except the rules, which the limiters' tests cover, the kernel of the
  // fetch, and the hooks.
  mutate: [`src/${part}/*.{ts,tsx}`, `src/${part}/{rules,kernel,hooks}/*.ts`, '!src/**/index.ts'],
  disableTypeChecks: 'src/**/*.{ts,tsx}',
  ignorePatterns: ['dist', '/demo', 'docs/*', '!docs/recipes', 'test/mutation/reports'],
  tempDirName: 'test/mutation/.sandboxes',
  coverageAnalysis: 'perTest',
  // Values computed when a module loads exist before a mutant is chosen.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `test/mutation/reports/${slugOf(part)}.json`,
  concurrency: 2,
  timeoutMS: 3000,
  timeoutFactor: 1.5,
  dryRunTimeoutMinutes: 10,
  reporters: ['progress-append-only'],
}
