import { withIoredis } from 'lull/redis'
import { expect, it } from 'vitest'
import { startServer } from './server.ts'
import { lives, simulate, traffics, type Result, type Way } from './simulation.ts'

const server = await startServer([], 'file')
const client = server.connect()
let runs = 0

const play = (way: Way, traffic: number, life: number, n = 6): Promise<Result> =>
  simulate(withIoredis(client), {
    way,
    n,
    traffic: traffics[traffic]!,
    life: lives[life]!,
    prefix: `${runs++}:`,
  })

it.each([
  ['twice the limit', 1, 0],
  ['skewed', 2, 0],
  ['bursts', 3, 0],
  ['joins', 1, 1],
  ['crashes', 1, 2],
  ['clocks that are off', 1, 3],
])(
  'instances that share a limit are never over it by more than the bound, and use more of it: %s',
  async (_, traffic, life) => {
    const [leases, shared, alone] = [
      await play('leases', traffic, life),
      await play('shared rate', traffic, life),
      await play('rate / n each', traffic, life),
    ]
    for (const { over, bound } of [leases, shared]) expect(over).toBeLessThanOrEqual(bound)
    expect(leases.used).toBeGreaterThan(0.98)
    expect(shared.used).toBeGreaterThan(Math.min(alone.used + 0.1, 0.97))
    // One trip for several decisions; and one a second each, beside who joins and leaves.
    expect(leases.trips).toBeLessThan(0.4 * 2000 * 40)
    expect(shared.trips).toBeLessThanOrEqual(6 * 42)
  },
)

it('a shared rate is fair within three seconds, also of those that join; and four after a crash', async () => {
  expect((await play('shared rate', 1, 0)).fairAfterS).toBeLessThanOrEqual(3)
  expect((await play('shared rate', 2, 0)).fairAfterS).toBeLessThanOrEqual(3)
  expect((await play('shared rate', 1, 1)).fairAfterS).toBeLessThanOrEqual(13)
  expect((await play('shared rate', 1, 2)).fairAfterS).toBeLessThanOrEqual(14)
})
