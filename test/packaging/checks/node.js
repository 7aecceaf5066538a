import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './code-of.js'

export const node = {
  name: 'node',
  parts: ['worker.js'],
  async check({ folder, node }, check) {
    await check("the README's first program prints the last call", async () => {
      const program = codeOf('README.md').find(({ code }) => code.includes("print('last')"))
      writeFileSync(join(folder, 'app.mjs'), program.code)
      const printed = await node('app.mjs')
      if (printed !== 'last\n') throw new Error(`It printed ${JSON.stringify(printed)}`)
    })
    await check('imports core, fetch, redis and testing without React', () => node('import.js'))
    await check('requires core, fetch, redis and testing from CommonJS', () => node('require.cjs'))
    await check('requires the same entries in a loader that cannot require modules', () =>
      node('--no-experimental-require-module', 'require.cjs'),
    )
    await check('lull/core debounces and limits in a thread', () => node('worker-thread.js'))
  },
}
