import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { it, vi } from 'vitest'
import { createRandom } from '../../bench/race/scenarios.js'
import { raceOnVirtualClock, type RaceResult } from '../../bench/race/virtual-race.js'
import { createFakeBrowser } from './fake-tabs.ts'
type Options = NonNullable<Parameters<typeof createRateLimitedFetch>[0]>
type Create = typeof createRateLimitedFetch
const inThreeTabs = ((options: Options = {}) => {
  const browser = createFakeBrowser(options.clock!)
  const fetches = [1, 2, 3].map(() => createRateLimitedFetch({ ...options, policies: [browser.open().share()] }))
  let calls = 0
  return (...args: Parameters<typeof fetch>) => fetches[calls++ % 3]!(...args)
}) as unknown as Create
const race = (create: Create, name: string, seed: number, isStream: boolean): Promise<RaceResult> =>
  raceOnVirtualClock({ createRateLimitedFetch: create, createManualClock }, { name, randomSeed: isStream ? seed + 100 : seed, ...(isStream && { poissonSeed: seed }) })
it('tries', async () => {
  for (const name of ['S1', 'S2']) for (const isStream of [false, true]) {
    const rows: string[] = []; const shares: number[] = []
    for (let seed = 1; seed <= 5; seed++) {
      const one = await race(createRateLimitedFetch, name, seed, isStream)
      vi.spyOn(Math, 'random').mockImplementation(createRandom(seed))
      const three = await race(inThreeTabs, name, seed, isStream)
      vi.restoreAllMocks()
      shares.push(three.share)
      rows.push(`${three.refusals}/${one.refusals}${three.early > 2 ? 'E' + three.early : ''}${three.failed ? 'F' : ''}`)
    }
    console.log(name, isStream, 'least', Math.min(...shares).toFixed(3), shares.map((s) => s.toFixed(2)).join(' '), '|', rows.join(' '))
  }
})
