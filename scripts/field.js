// Runs the field suite: writes docs/results/field.md, or prints the results if there are arguments.
// npm run field -- [--random from-to] [--only text] [--client learn]… [--seeds n] [--short] [--broken] [--lull src|dist|path]
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Random pairings with these seeds, such as 1-300, in place of the others. */
    random: { type: 'string' },
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
if (!existsSync(lull)) throw new Error(`${lull} does not exist`)
const alias = ['core', 'fetch'].map((entry) => ({
  find: new RegExp(`^lull/${entry}$`),
  replacement: [`${lull}/${entry}/index.ts`, `${lull}/${entry}/index.js`].find(existsSync),
}))
const { module } = await runnerImport(join(root, 'test/field/table.ts'), { resolve: { alias } })
const { measure, brokenBy, cellsOf, clientNames, headings, markdown } = module

const isWritten = process.argv.length === 2
const start = performance.now()
const rows = await measure({
  only: values.only,
  clients: values.client ?? (values.broken ? ['learn', 'fixed', 'again'] : clientNames),
  seeds: values.seeds && Number(values.seeds),
  isShort: values.short,
  random: values.random?.split('-').map(Number),
  onRow: isWritten ? undefined : print,
})
if (isWritten) writeFileSync(join(root, 'docs/results/field.md'), markdown(rows))
if (values.random && !values.client) printSum()
console.log(`${rows.length} pairings in ${((performance.now() - start) / 1000).toFixed(1)} s`)

/** Prints the totals: the served calls, and the mean ratio of the times. */
function printSum() {
  const pairs = rows.map(({ figures: { learn, fixed } }) => [learn, fixed])
  const served = (index) => pairs.reduce((sum, pair) => sum + pair[index].served, 0)
  const logs = pairs.map(([learn, fixed]) => Math.log(learn.tookMs / fixed.tookMs))
  const took = Math.exp(logs.reduce((sum, log) => sum + log, 0) / rows.length)
  const breaking = (client) => rows.filter((row) => brokenBy(client, row).length > 0).length
  console.log(
    `${breaking('learn')} break a bound, ${breaking('again')} of again and fixed; ` +
      `served ${served(0)} for ${served(1)}; took ${took.toFixed(3)} times as long`,
  )
}

function print(row) {
  const why = brokenBy('learn', row)
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
