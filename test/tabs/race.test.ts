// Runs against the servers of the race, with the calls spread over three tabs.
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { createRandom } from '../../bench/random.js'
import { raceOnVirtualClock, type RaceResult } from '../../bench/race/virtual-race.js'
import { createFakeBrowser, letTimeGoOn } from './fake-tabs.ts'

type Options = NonNullable<Parameters<typeof createRateLimitedFetch>[0]>
type Create = typeof createRateLimitedFetch

/** Acts as one fetch whose calls go to three tabs in turn. */
const inThreeTabs = ((options: Options = {}) => {
  const browser = createFakeBrowser(options.clock!)
  const fetches = [1, 2, 3].map(() =>
    createRateLimitedFetch({ ...options, policies: [browser.open().share()] }),
  )
  let calls = 0
  return (...args: Parameters<typeof fetch>) => fetches[calls++ % 3]!(...args)
}) as unknown as Create

const race = (create: Create, name: string, seed: number, isStream: boolean): Promise<RaceResult> =>
  raceOnVirtualClock(
    { createRateLimitedFetch: create, createManualClock: () => letTimeGoOn(createManualClock()) },
    { name, randomSeed: isStream ? seed + 100 : seed, ...(isStream && { poissonSeed: seed }) },
  )

/** The laws take all of them. */
const SEEDS = process.env['LULL_LAWS'] ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2]

it.each([
  { name: 'S1', says: '429 with Retry-After', share: 0.75 },
  { name: 'S2', says: 'RateLimit on every answer', share: 0.9 },
])('three tabs keep the pace of one: $name, $says', async ({ name, share }) => {
  for (const seed of SEEDS)
    for (const isStream of [false, true]) {
      const one = await race(createRateLimitedFetch, name, seed, isStream)
      // Tabs have random names, which also order them.
      vi.spyOn(Math, 'random').mockImplementation(createRandom(seed))
      const three = await race(inThreeTabs, name, seed, isStream)
      vi.restoreAllMocks()
      expect(three.failed).toBe(0)
      expect(three.refusals).toBeLessThanOrEqual(one.refusals + 3)
      expect(three.share).toBeGreaterThanOrEqual(share)
      // While the message of a pause is in transit, each other tab sends one request at most.
      expect(three.early).toBeLessThanOrEqual(2)
    }
})
