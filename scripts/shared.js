// Simulates how well instances keep to one limit, and writes docs/results/shared-limits.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'

const root = join(import.meta.dirname, '..')
const alias = ['core', 'redis', 'testing'].map((entry) => ({
  find: new RegExp(`^lull/${entry}$`),
  replacement: `${root}/src/${entry}/index.ts`,
}))
const { module } = await runnerImport(join(root, 'test/redis/simulation/simulation-table.ts'), {
  resolve: { alias },
})
const rows = await module.measure((title, n) => console.log(`${title}, ${n} instances`))
writeFileSync(join(root, 'docs/results/shared-limits.md'), module.markdown(rows))
