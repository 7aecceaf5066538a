/** A project with the default settings of its runner. */
const runner = (name, parts = ['first-tests.js']) => ({
  name,
  parts,
  check: ({ run }, check) =>
    check("a project's first tests pass: fake timers, a page, a mocked fetch, no Request", () =>
      run('npm', ['test']),
    ),
})

export const jestTs = runner('jest-ts', [])
export const vitest = runner('vitest')
export const nodeTest = runner('node-test')
