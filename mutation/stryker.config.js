// The folder of `src` whose mutants are made: each is tested by its own tests alone.
const folder = process.env.MUTATION_FOLDER ?? 'core'

export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/vitest.config.ts', related: false },
  mutate: [`src/${folder}/**/*.ts`],
  disableTypeChecks: 'src/**/*.ts',
  ignorePatterns: ['dist', 'demo', 'bench', 'docs/*', '!docs/recipes', 'mutation/reports'],
  tempDirName: 'mutation/.sandboxes',
  coverageAnalysis: 'perTest',
  // What is computed once, when a module loads, would want every test for each of its mutants.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `mutation/reports/${folder}.json`,
  concurrency: 2,
  // Generous: on a busy machine a mutant must not count as found because it was waited for.
  timeoutMS: 15_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 10,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false, reportMutants: false },
  thresholds: { high: 95, low: 85, break: 85 },
}
