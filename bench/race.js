// The race over HTTP on loopback: lull and other clients, as Markdown tables.
// npm run race -- [S1 S2 …] [--write]
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { makeClients } from './race/clients.js'
import { openOnLoopback } from './race/open-server.js'
import { report } from './race/report.js'
import { runRace } from './race/run-race.js'
import { makeScenario } from './race/scenarios.js'

const NAMES = ['S1', 'S2', 'S3', 'S4', 'S5']
const SEED = 1
/** How many runs are in progress at once. They wait most of the time. */
const TOGETHER = 2
const CAP_MS = 60_000
/** How early a timer may fire, in ms. */
const SLACK_MS = 2

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string', default: join(import.meta.dirname, '../dist') },
    write: { type: 'boolean', default: false },
    /** Runs only this client, once. */
    run: { type: 'string' },
    poisson: { type: 'boolean', default: false },
  },
})

const load = (entry) => import(pathToFileURL(`${values.dist}/${entry}/index.js`).href)
const { createRateLimitedFetch } = await load('fetch')
const { systemClock } = await load('core')
const clients = makeClients(createRateLimitedFetch)

if (values.run === undefined) await runAll(positionals.length > 0 ? positionals : NAMES)
else await runOne(positionals[0], values.run)

async function runOne(name, client) {
  const scenario = makeScenario(name, values.poisson ? SEED : undefined)
  const result = await runRace({
    scenario,
    makeClient: clients[client],
    clock: systemClock,
    open: openOnLoopback,
    capMs: CAP_MS,
    slackMs: SLACK_MS,
  })
  const { title, arrivals } = scenario
  console.log(JSON.stringify({ scenario: name, title, arrivals, client, ...result }))
  process.exit()
}

/** Runs each pairing in its own process. Its exit ends retries that are still to come. */
async function runAll(names) {
  const jobs = names.flatMap((name) =>
    Object.keys(clients).flatMap((client) => [
      [name, '--run', client],
      [name, '--run', client, '--poisson'],
    ]),
  )
  const results = []
  const queue = jobs.entries()
  async function work() {
    for (const [index, job] of queue) {
      const args = [import.meta.filename, ...job, '--dist', values.dist]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      results[index] = JSON.parse(stdout)
      process.stderr.write('.')
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  process.stderr.write('\n')
  const tables = report(results)
  console.log(tables)
  if (values.write) writeFileSync(join(import.meta.dirname, '../docs/results/race.md'), `${tables}\n`)
}
