// The race of lull on a virtual clock, with many seeds: the worst and the median of all runs.
// node bench/race/virtual.js [S1 S2 …] [--seeds n] [--dist path] [--all]
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from '../measure.js'
import { scenarioNames } from './scenarios.js'
import { raceOnVirtualClock } from './virtual-race.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '5' },
    dist: { type: 'string', default: join(import.meta.dirname, '../../dist') },
    /** Also prints each run. */
    all: { type: 'boolean', default: false },
  },
})
const load = (entry) => import(pathToFileURL(`${values.dist}/${entry}/index.js`).href)
const lull = { ...(await load('fetch')), ...(await load('testing')) }
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1)

async function runsOf(name, isAtOnce) {
  const runs = []
  for (const seed of seeds) {
    for (const randomSeed of isAtOnce ? [seed] : [seed, seed + 1000]) {
      const race = { name, poissonSeed: isAtOnce ? undefined : seed, randomSeed }
      const run = await raceOnVirtualClock(lull, race)
      if (values.all) console.log(race, run)
      runs.push(run)
    }
  }
  return runs
}

const rows = []
for (const name of positionals.length > 0 ? positionals : scenarioNames) {
  for (const isAtOnce of [true, false]) {
    const runs = await runsOf(name, isAtOnce)
    const shares = runs.map(({ share }) => share)
    const row = {
      scenario: name,
      calls: isAtOnce ? 'at once' : 'Poisson',
      'least share': Math.min(...shares).toFixed(3),
      'median share': median(shares).toFixed(3),
    }
    for (const key of ['refusals', 'requests', 'early', 'failed', 'within50', 'before50', 'pending'])
      row[key] = Math.max(...runs.map((run) => run[key]))
    rows.push(row)
  }
}
console.table(rows)
