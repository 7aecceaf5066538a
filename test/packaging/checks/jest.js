import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './code-of.js'

/** Runs Jest under Node and jsdom. `env` chooses how it runs modules. */
const run = (project, env, ...args) =>
  project.run(process.execPath, ['node_modules/jest/bin/jest.js', '--ci', '--colors=false', ...args], env)

export const jest = {
  name: 'jest',
  parts: ['first-tests.js'],
  async check(project, check) {
    await check("a project's first tests pass, without a configuration", () =>
      run(project, {}, '--config', '{}'),
    )
    await check("its first tests pass under the conditions of React Native's preset", () => {
      const testEnvironmentOptions = { customExportConditions: ['require', 'react-native'] }
      return run(project, {}, '--config', JSON.stringify({ testEnvironmentOptions }), 'first.test.js')
    })
    await check('mocked and foreign fetches, as CommonJS', () => run(project))
    await check('mocked and foreign fetches, as modules', () =>
      run(project, { JEST_AS: 'modules', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' }),
    )
    await check('the configuration and the tests of the guide run as they stand', async () => {
      const blocks = codeOf('docs/guides/jest.md').filter(({ language }) => language !== 'sh')
      const [config, ...tests] = blocks.map(({ code }) => code)
      const folder = join(project.folder, 'guide')
      mkdirSync(folder)
      writeFileSync(join(folder, 'babel.config.cjs'), config)
      for (const [number, test] of tests.entries()) writeFileSync(join(folder, `${number}.test.tsx`), test)
      await run(project, {}, '--config', JSON.stringify({ rootDir: folder }))
    })
  },
}
