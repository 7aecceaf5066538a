import { table } from '../../bench/markdown-table.js'
import { clients, type ClientName, type Settings } from './clients.ts'
import { pairings } from './pairings.ts'
import { randomPairing } from './random-pairings.ts'
import { percentile, runSeeds, type Figures } from './run.ts'

export interface TableOptions {
  /** Only pairings whose names contain this. */
  only?: string | undefined
  clients?: readonly ClientName[]
  /** @default as in `runSeeds` */
  seeds?: number | undefined
  isShort?: boolean
  /** Random pairings with seeds from `from` to `to`, in place of the others. */
  random?: readonly [from: number, to: number] | undefined
  /** Called after each pairing. */
  onRow?: (row: Row) => void
}

export interface Row {
  name: string
  /** The options a user would have set. */
  settings: Settings
  figures: Partial<Record<ClientName, Figures>>
  /** CPU time in ms, by client. */
  cpuMs: Partial<Record<ClientName, number>>
}

export const clientNames = Object.keys(clients) as ClientName[]

export async function measure({
  only = '',
  clients: names = clientNames,
  seeds,
  isShort = false,
  random,
  onRow,
}: TableOptions = {}): Promise<Row[]> {
  const rows: Row[] = []
  const drawn =
    random &&
    Array.from({ length: random[1] - random[0] + 1 }, (_, index) => randomPairing(random[0] + index))
  for (const pairing of drawn ?? pairings) {
    if (!pairing.name.includes(only) || (isShort && pairing.isLong)) continue
    const row: Row = { name: pairing.name, settings: pairing.settings ?? {}, figures: {}, cpuMs: {} }
    for (const client of names) {
      const before = process.cpuUsage()
      row.figures[client] = await runSeeds(pairing, client, seeds)
      const { user, system } = process.cpuUsage(before)
      row.cpuMs[client] = (user + system) / 1000
    }
    rows.push(row)
    onRow?.(row)
  }
  return rows
}

/** How much worse `learn` may be, as multiples of `fixed`. */
export interface Bounds {
  served: number
  took: number
  p50: number
}

const BOUNDS: Bounds = { served: 0.995, took: 1.3, p50: 1.5 }
/** The time in ms that the first windows of 8, 16 and 32 requests may add. */
const FIRST_WINDOW_MS = 200

/** Returns a text for each bound that `learn` breaks relative to `fixed`. */
export function broken(learn: Figures, fixed: Figures, bounds: Partial<Bounds> = {}): string[] {
  const { served, took, p50 } = { ...BOUNDS, ...bounds }
  const broken: string[] = []
  const least = Math.floor(fixed.served * served - chance(learn, fixed))
  if (learn.served < least) broken.push(`served ${learn.served} of ${fixed.served}`)
  // What loses calls is done early.
  const isLossy = fixed.served < 0.9 * learn.served
  if (!isLossy && learn.tookMs > Math.max(fixed.tookMs * took, fixed.tookMs + FIRST_WINDOW_MS))
    broken.push(`took ${seconds(learn.tookMs)} for ${seconds(fixed.tookMs)}`)
  const [own, other] = [percentile(learn, 0.5), percentile(fixed, 0.5)]
  if (!isLossy && own > Math.max(other * p50, other + FIRST_WINDOW_MS))
    broken.push(`p50 ${seconds(own)} for ${seconds(other)}`)
  if (learn.intoPause > 0) broken.push(`sent ${learn.intoPause} into a pause`)
  if (fixed.intoPause > 0) broken.push(`fixed sent ${fixed.intoPause} into a pause`)
  return broken
}

/** As `broken`, for a client that was measured. */
export function brokenBy(client: 'learn' | 'again', { figures: { fixed, ...others } }: Row): string[] {
  const own = others[client]
  return own && fixed ? broken(own, fixed) : []
}

/** Two standard errors of the difference in served calls; 0 with fewer than 8 seeds. */
function chance({ servedOf }: Figures, fixed: Figures): number {
  const count = servedOf.length
  if (count < 8) return 0
  const differences = servedOf.map((served, index) => served - fixed.servedOf[index]!)
  const mean = differences.reduce((sum, one) => sum + one, 0) / count
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return 2 * Math.sqrt((squares / (count - 1)) * count)
}

const number = (value: number): string => Math.round(value).toLocaleString('en')

function seconds(ms: number): string {
  const digits = ms < 1000 ? 2 : ms < 100_000 ? 1 : 0
  return `${(ms / 1000).toFixed(digits)} s`
}

export const headings =
  'client | served | lost | refused | into a pause | closings | took | × omniscient | p50 | p95'.split(' | ')

/** The cells of a row for each client. */
export function cellsOf({ figures }: Row): string[][] {
  return clientNames.flatMap((client) => {
    const own = figures[client]
    if (!own) return []
    const best = figures.omniscient?.tookMs
    return [
      [
        client,
        `${number(own.served)} of ${number(own.calls)}`,
        number(own.lost),
        number(own.refused),
        number(own.intoPause),
        client === 'learn' || client === 'fixed' ? number(own.closings) : '',
        seconds(own.tookMs),
        best ? (own.tookMs / best).toFixed(2) : '',
        seconds(percentile(own, 0.5)),
        seconds(percentile(own, 0.95)),
      ],
    ]
  })
}

export function markdown(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => {
    const [first, ...others] = cellsOf(row).filter(([client]) => client === 'learn' || client === 'fixed')
    return [[row.name, optionsOf(row), ...first!], ...others.map((cells) => ['', '', ...cells])]
  })
  const breaking = rows.flatMap((row) => {
    const why = brokenBy('learn', row)
    return why.length > 0 ? [`- ${row.name}: ${why.join('; ')}`] : []
  })
  const byChance = rows.filter((row) => brokenBy('again', row).length > 0).length
  return `# The field suite

Five clients make the same calls to the same servers, on a virtual network: latencies are random, and requests may arrive in
another order than they were sent. \`npm run field\` writes this page; \`test/field/\` has the servers, the pages and the clients.
Pages with few calls, and those that depend much on chance, are run with several seeds: the figures are sums, but \`took\` is a mean.

The clients:

- learn: \`createRateLimitedFetch()\`
- fixed: the same with \`pace: 'fixed'\`
- again: as fixed, with other random numbers for its jitter, to show what is chance
- alone: each call waits as long as its own refusal says, else by exponential backoff
- omniscient: knows the server, and sends as soon as it would let a request through

The table shows the first two; \`npm run field -- --only text\` prints all five for the pairings whose names contain the text.

Options: default (a cooldown delays a call for at most 60 s, a call is sent at most 3 times, and at most 1,000 calls wait) or
patient (no call is given up: \`maxQueue\`, \`maxRetries\` and \`maxWaitMs\` are Infinity).

- served: calls that got a 200, of all that the page made; those that the page aborted are neither served nor lost
- lost: calls that rejected, or got another status
- refused: responses of status 429 or 503
- into a pause: requests sent before the end of a \`Retry-After\` that had been received
- closings: how often the gate was closed
- took: from the first call until the last one settled
- × omniscient: as a multiple of what the omniscient client took
- p50, p95: from a call to its response, of the served calls

## Bounds

Compared with fixed, in each pairing learn should

- serve at least 99.5 % as many calls, minus two standard errors of the difference if there are 8 seeds or more
- take at most 1.3 times as long, or 0.2 s longer (the first window may delay calls)
- have a p50 of at most 1.5 times as long, or 0.2 s longer
- send nothing into a pause

Times are not compared where fixed serves less than 90 % of what learn serves. ${breaking.length} of the ${rows.length} pairings break a bound. Between again and fixed, ${byChance} do, by chance.${breaking.length > 0 ? ' Those of learn:' : ''}

${breaking.length > 0 ? `${breaking.join('\n')}\n\n` : ''}## Pairings

${table([['server · page', 'options', ...headings], ...lines], 3)}
`
}

function optionsOf({ settings: { maxQueue, concurrency } }: Row): string {
  const options = maxQueue === Infinity ? 'patient' : 'default'
  return concurrency === undefined ? options : `${options}, ${concurrency} at once`
}
