import { withIoredis } from 'lull/redis'
import { expect, it } from 'vitest'
import { startServer } from '../servers/server.ts'
import { lives, simulate, traffics, type Result, type Way } from './simulation.ts'

const server = await startServer([], 'file')
const client = server.connect()

const SECONDS = 20

const play = (way: Way, traffic: number, life: number): Promise<Result> =>
  simulate(withIoredis(client), {
    way,
    n: 6,
    traffic: traffics[traffic]!,
    life: lives[life]!,
    seconds: SECONDS,
  })

it.each([
  ['twice the limit', 1, 0, 3],
  ['skewed', 2, 0, 3],
  // Never fair: the demands change before the shares do.
  ['bursts', 3, 0, Infinity],
  ['joins', 1, 1, 13],
  ['crashes', 1, 2, 14],
  ['clocks that are off', 1, 3, 3],
])(
  'a shared rate stays within its bound, uses more than fixed parts, and is soon fair: %s',
  async (_, traffic, life, fairAfterS) => {
    const shared = await play('shared rate', traffic, life)
    const alone = await play('rate / n each', traffic, life)
    expect(shared.over).toBeLessThanOrEqual(shared.bound)
    expect(shared.used).toBeGreaterThan(Math.min(alone.used + 0.1, 0.97))
    expect(shared.trips).toBeLessThanOrEqual(6 * (SECONDS + 2))
    expect(shared.fairAfterS ?? Infinity).toBeLessThanOrEqual(fairAfterS)
  },
)

it.each([
  ['half of the limit', 0, 0],
  ['bursts', 3, 0],
])('leases keep their bound, leave nothing unused, and save round trips: %s', async (_, traffic, life) => {
  const { over, bound, used, trips } = await play('leases', traffic, life)
  expect(over).toBeLessThanOrEqual(bound)
  expect(used).toBeGreaterThan(0.98)
  expect(trips).toBeLessThan(150 * SECONDS)
})
