// Runs the field suite: writes docs/results/field.md, or prints the results if there are arguments.
// npm run field -- [--only text] [--client learn]… [--seeds n] [--short] [--broken] [--lull src|dist|path]
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    client: { type: 'string', multiple: true },
    seeds: { type: 'string' },
    /** Skips the slow pairings. */
    short: { type: 'boolean', default: false },
    /** Prints only the pairings that break a bound. */
    broken: { type: 'boolean', default: false },
    /** The sources or the build to run. */
    lull: { type: 'string', default: 'src' },
  },
})

const lull = resolve(root, values.lull)
const alias = ['core', 'fetch'].map((entry) => ({
  find: new RegExp(`^lull/${entry}$`),
  replacement: [`${lull}/${entry}/index.ts`, `${lull}/${entry}/index.js`].find(existsSync),
}))
const { module } = await runnerImport(join(root, 'test/field/table.ts'), {
  root,
  configFile: false,
  logLevel: 'warn',
  resolve: { alias },
})
const { measure, broken, cellsOf, clientNames, headings, markdown } = module

const isWritten = process.argv.length === 2
const start = performance.now()
const rows = await measure({
  only: values.only,
  clients: values.client ?? (values.broken ? ['learn', 'fixed'] : clientNames),
  seeds: values.seeds && Number(values.seeds),
  isShort: values.short,
  onRow: isWritten ? undefined : print,
})
if (isWritten) writeFileSync(join(root, 'docs/results/field.md'), markdown(rows))
console.log(`${rows.length} pairings in ${((performance.now() - start) / 1000).toFixed(1)} s`)

function print(row) {
  const { learn, fixed } = row.figures
  const why = learn && fixed ? broken(learn, fixed) : []
  if (values.broken) {
    if (why.length > 0) console.log(`${row.name}: ${why.join('; ')}`)
    return
  }
  console.log(`\n${row.name}${why.length > 0 ? `\n  breaks: ${why.join('; ')}` : ''}`)
  const cells = cellsOf(row)
  const cpu = Object.values(row.cpuMs).map((ms) => `${Math.round(ms)} ms`)
  const lines = [[...headings, 'cpu'], ...cells.map((line, index) => [...line, cpu[index]])]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  for (const line of lines)
    console.log(`  ${line.map((cell, column) => cell.padStart(widths[column])).join('  ')}`)
}
