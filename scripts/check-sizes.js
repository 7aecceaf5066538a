// Measures the size of each import and compares it with the README's table; with --write it updates the
// table.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../README.md')
const { stdout, stderr, status } = spawnSync('npx', ['size-limit', '--json'], { encoding: 'utf8' })
if (!stdout) {
  console.error(stderr)
  process.exit(status ?? 1)
}
const bytes = new Intl.NumberFormat('en')
const results = JSON.parse(stdout)
const text = readFileSync(readme, 'utf8')
let next = text
let faults = 0

for (const { name, size, sizeLimit, passed } of results) {
  const measured = bytes.format(size)
  const row = new RegExp(`^(\\| \`${name}\` +\\| )([\\d,]+)( *\\|)$`, 'm')
  const documented = row.exec(text)?.[2]
  const words = [
    passed ? '' : `more than its limit of ${bytes.format(sizeLimit)}`,
    documented === measured
      ? ''
      : documented
        ? `the README says ${documented}`
        : 'the README has no row for it',
  ].filter(Boolean)
  if (words.length > 0) faults++
  console.log(`${words.length > 0 ? 'FAIL' : 'ok  '}  ${name}: ${[measured, ...words].join('; ')}`)
  next = next.replace(row, (_, before, old, after) => before + measured.padEnd(old.length) + after)
}

if (process.argv.includes('--write')) writeFileSync(readme, next)
else if (faults > 0) process.exitCode = 1
