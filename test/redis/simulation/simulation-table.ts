// Runs each simulation on a separate server; `npm run shared` writes the table into docs/results.
import { Redis } from 'ioredis'
import { withIoredis } from 'lull/redis'
import { table } from '../../../bench/markdown-table.js'
import { startRedis } from '../../../scripts/start-redis.js'
import { lives, RATE, SECONDS, simulate, traffics, type Result, type Way } from './simulation.ts'

const WAYS: readonly Way[] = ['leases', 'shared rate', 'rate / n each']
const SIZES = [2, 10, 100]

interface Row {
  title: string
  n: number
  results: Result[]
}

export async function measure(onRow: (title: string, n: number) => void): Promise<Row[]> {
  const server = await startRedis()
  const client = new Redis(server.port, '127.0.0.1')
  client.on('error', () => undefined)
  try {
    const rows: Row[] = []
    const settings = [
      ...traffics.map((traffic) => ({ traffic, life: lives[0]! })),
      ...lives.slice(1).map((life) => ({ traffic: traffics[1]!, life })),
    ].flatMap((setting) => SIZES.map((n) => ({ ...setting, n })))
    for (const setting of settings) {
      const results: Result[] = []
      for (const way of WAYS) results.push(await simulate(withIoredis(client), { way, ...setting }))
      const title = [setting.traffic.name, setting.life.name].filter(Boolean).join('; ')
      onRow(title, setting.n)
      rows.push({ title, n: setting.n, results })
    }
    return rows
  } finally {
    client.disconnect()
    server.kill()
  }
}

const percent = (part: number): string => `${Math.round(part * 100)} %`

export function markdown(rows: readonly Row[]): string {
  const cells = ({ used, over, bound, fairAfterS, trips }: Result): string[] => [
    percent(1 - used),
    `${Math.round(over)} / ${Math.round(bound)}`,
    fairAfterS === undefined ? 'never' : `${fairAfterS} s`,
    String(Math.round(trips / SECONDS)),
  ]
  const titles = ['unused', 'over / bound', 'fair after', 'trips a second']
  const head = ['traffic', 'instances', 'way', ...titles]
  const lines = rows.flatMap(({ title, n, results }) =>
    results.map((result, index) => [title, String(n), WAYS[index]!, ...cells(result)]),
  )
  return `# One limit shared by instances, simulated

\`npm run shared\` writes this page: a limit of ${RATE} events a second with a burst of ${RATE / 10}, for ${SECONDS} s of virtual time, divided in three ways:

- leases: \`createLeasedLimiter\` with a \`share\` of 10 and a \`maxAgeMs\` of 500;
- shared rate: \`createSharedRate\` with a period of a second, the burst divided as the rate is (at least 1 each);
- rate / n each: a limiter in each process with the rate and the burst divided by n.

The columns:

- unused: the part of the possible events that did not pass, from 5 s on. Possible is the lower of limit and demand, in each 50 ms
- over: the most events above rate · time + burst in any time; bound: the most that the documentation allows
- fair after: the second from which every instance has nine tenths of its max-min fair share, averaged over five seconds
- trips a second: round trips to Redis. A plain limiter in Redis needs one for each decision, which would be ${RATE / 2} to ${2 * RATE} here

${table([head, ...lines], 3)}
`
}
