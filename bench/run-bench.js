// Compares lull with code by hand and with other libraries; writes docs/results/bench.json and bench.md.
// npm run bench [-- suite …] [--quick]: with an argument it writes nothing.
import { fork } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { goalOf, page, tableOf } from './page.js'
import { suites } from './suites/index.js'

const results = join(import.meta.dirname, '../docs/results')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})

if (!existsSync(join(import.meta.dirname, 'node_modules'))) exit('First: npm ci --prefix bench')
const unknown = positionals.find((name) => !suites.some((suite) => suite.name === name))
if (unknown) exit(`No suite is named ${unknown}, but ${suites.map(({ name }) => name).join(', ')}`)

const chosen = suites.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const comparisons = []
for (const suite of chosen) for (const part of suite.apart ?? ['all']) await run(suite, part)

if (positionals.length === 0 && !values.quick) {
  const machine = { cpu: cpus()[0].model.trim(), cpus: cpus().length, node: process.version }
  const result = { date: new Date().toISOString().slice(0, 10), machine, comparisons }
  writeFileSync(join(results, 'bench.json'), `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(join(results, 'bench.md'), page(result, suites))
}

/** Runs a suite in its own process, so that its heap and its compiled code do not affect the next. */
async function run({ name, flags = [] }, part) {
  const child = fork(
    join(import.meta.dirname, 'run-suite.js'),
    [name, part, values.quick ? 'quick' : 'whole'],
    { execArgv: ['--expose-gc', ...flags] },
  )
  child.on('message', (comparison) => {
    comparisons.push(comparison)
    console.log(
      `\n${[comparison.title, goalOf(comparison), '', tableOf(comparison)].filter((line) => line !== undefined).join('\n')}`,
    )
  })
  const code = await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject))
  if (code !== 0) exit(`The suite ${name} failed`)
}

function exit(reason) {
  console.error(reason)
  process.exit(1)
}
