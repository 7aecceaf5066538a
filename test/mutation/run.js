// Runs all parts in turn, or those whose names start with an argument: `npm run mutation -- core
// fetch/headers`. A part that ran before repeats only what has changed. Flags such as `--force` are passed to
// Stryker.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parts } from './parts.js'

const root = join(import.meta.dirname, '../..')
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')
if (!existsSync(stryker)) throw new Error('First: npm ci --prefix test/mutation')

const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('-'))
const wanted = args.filter((arg) => !arg.startsWith('-'))
const unknown = wanted.filter((start) => !parts.some((part) => part.startsWith(start)))
if (unknown.length > 0) throw new Error(`No such part: ${unknown.join(', ')}. There are ${parts.join(', ')}`)

const run = (script, options, env = {}) =>
  spawnSync(process.execPath, [script, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status === 0

for (const part of parts) {
  if (wanted.length > 0 && !wanted.some((start) => part.startsWith(start))) continue
  console.log(`\n── ${part}`)
  if (!run(stryker, ['run', 'test/mutation/stryker.config.js', ...flags], { MUTATION_PART: part }))
    process.exitCode = 1
}

if (!run(join(import.meta.dirname, 'write-report.js'), [])) process.exitCode = 1
