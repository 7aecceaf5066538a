// The race's servers, with the calls spread over three tabs.
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { makeOmniscient } from '../../bench/race/omniscient.js'
import { runRace } from '../../bench/race/run-race.js'
import { createRandom, makeScenario } from '../../bench/race/scenarios.js'
import { raceOnVirtualClock, type RaceResult } from '../../bench/race/virtual-race.js'
import { createFakeBrowser } from './fake-tabs.ts'

interface Way {
  fetch: typeof fetch
  url: string
}

/** Clients of three tabs, in turn. */
function inTabs(count: number, clock: ReturnType<typeof createManualClock>, randomSeed: number) {
  return ({ fetch, url }: Way) => {
    const browser = createFakeBrowser(clock)
    const fetches = Array.from({ length: count }, (_, index) =>
      createRateLimitedFetch({
        fetch,
        clock,
        maxRetries: Infinity,
        maxWaitMs: Infinity,
        maxQueue: 10_000,
        random: createRandom(randomSeed + 10 * index),
        policies: [browser.open().share()],
      }),
    )
    let calls = 0
    return async () => (await fetches[calls++ % count]!(url)).status
  }
}

async function raceInTabs(name: string, count: number, poissonSeed: number | undefined, randomSeed: number) {
  const scenario = makeScenario(name, poissonSeed)
  const best = await runRace({ scenario, makeClient: makeOmniscient, clock: createManualClock() })
  const clock = createManualClock()
  const ours = await runRace({ scenario, makeClient: inTabs(count, clock, randomSeed), clock })
  return { ...ours, share: ours.goodput / best.goodput, pending: clock.pending } as RaceResult
}

const lull = { createRateLimitedFetch, createManualClock }
describe.each([
  { name: 'S1', share: 0.75 },
  { name: 'S2', share: 0.9 },
])('three tabs in front of $name', ({ name, share }) => {
  it.each([1, 2, 3, 4, 5].flatMap((seed) => [[undefined, seed] as const, [seed, seed + 100] as const]))(
    'keep to the pace that one would: Poisson %s, seed %s',
    async (poissonSeed, randomSeed) => {
      const one = await raceOnVirtualClock(lull, {
        name,
        randomSeed,
        ...(poissonSeed !== undefined && { poissonSeed }),
      })
      const three = await raceInTabs(name, 3, poissonSeed, randomSeed)
      if (process.env['SHOW']) console.log(name, poissonSeed, 'one', one.refusals, one.share.toFixed(3), 'three', three.refusals, three.share.toFixed(3), three.early, three.pending)
      expect(three).toMatchObject({ failed: 0, pending: 0, early: 0 })
      expect(three.refusals).toBeLessThanOrEqual(one.refusals + 3)
      expect(three.share).toBeGreaterThanOrEqual(share)
    },
  )
})
