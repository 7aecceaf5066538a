// Both folders, or those named, one after the other: `npm run mutation -- core`. What follows them goes to Stryker.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const all = ['core', 'fetch']
const args = process.argv.slice(2)
const named = all.filter((folder) => args.includes(folder))
const flags = args.filter((arg) => !all.includes(arg))

for (const folder of named.length > 0 ? named : all) {
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'mutation/node_modules/@stryker-mutator/core/bin/stryker.js'),
      'run',
      'mutation/stryker.config.js',
      ...flags,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_FOLDER: folder } },
  )
  if (status !== 0) process.exitCode = 1
}
