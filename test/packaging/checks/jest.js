/** Under Node and jsdom. `env` chooses how Jest runs what is written as a module. */
const run = (project, env, ...args) =>
  project.run(process.execPath, ['node_modules/jest/bin/jest.js', '--ci', '--colors=false', ...args], env)

export const jest = {
  name: 'jest',
  parts: ['first-tests.js'],
  async check(project, check) {
    await check("a project's first tests pass, without a configuration", () =>
      run(project, {}, '--config', '{}'),
    )
    await check('mocked and foreign fetches, as CommonJS', () => run(project))
    await check('the same as modules', () =>
      run(project, { JEST_AS: 'modules', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' }),
    )
  },
}
