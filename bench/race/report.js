import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../markdown-table.js'

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
const versions = ['p-retry', 'ky', 'axios-retry', 'bottleneck', 'p-throttle', 'p-queue'].map(
  (name) => `${name} ${packages[`node_modules/${name}`].version}`,
)

/** The results of all clients in all scenarios, as Markdown: a table for each scenario, a row for each client. */
export function report(results) {
  const scenarios = groupBy(results, 'scenario')
  return [INTRODUCTION, ...[...scenarios.values()].map(section)].join('\n\n')
}

const INTRODUCTION = `# The race

150 calls to a server that lets 20 a second through, 10 at once, and responds after 25 ms, made all at once or as a
Poisson stream of 30 a second (in S5 one call, and 20 more while the server pauses). Only the omniscient client knows
the limit: it sends whenever there is a token. Over HTTP on loopback, one run of each: \`npm run race --prefix bench\`.
The newest versions for Node 20: ${versions.join(', ')}.

- share: calls served per second, until the last one is, as a share of those of the omniscient client
- refused: responses with status 429
- into a pause: requests sent before the latest \`Retry-After\` that had been received was over
- unserved: calls that were still waiting after 60 s, which then counts as the end`

const HEADINGS = ['share', 'refused', 'into a pause']

function section(results) {
  const [{ scenario, title }] = results
  const arrivals = [...groupBy(results, 'arrivals')]
  const rows = [...groupBy(results, 'client')].map(([client, own]) => [
    client,
    ...own.flatMap((result) => cellsOf(result, results)),
  ])
  const headings = arrivals.flatMap(([name]) => HEADINGS.map((heading) => `${name}: ${heading}`))
  return `### ${scenario}: ${title}\n\n${table([['', ...headings], ...rows])}`
}

function cellsOf({ arrivals, goodput, failed, refusals, early }, results) {
  const best = results.find((result) => result.arrivals === arrivals && result.client === 'omniscient')
  const share = (goodput / best.goodput).toFixed(2)
  return [failed > 0 ? `${share} (${failed} unserved)` : share, String(refusals), String(early)]
}

function groupBy(results, key) {
  const groups = new Map()
  for (const result of results) groups.set(result[key], [...(groups.get(result[key]) ?? []), result])
  return groups
}
