import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { raceOnVirtualClock, type RaceResult } from '../../../bench/race/virtual-race.js'

const SEEDS = [1, 2, 3, 4, 5]
const lull = { createRateLimitedFetch, createManualClock }

async function raceAll(name: string): Promise<RaceResult[]> {
  const results: RaceResult[] = []
  for (const seed of SEEDS) {
    results.push(await raceOnVirtualClock(lull, { name, randomSeed: seed }))
    results.push(await raceOnVirtualClock(lull, { name, randomSeed: seed + 100, poissonSeed: seed }))
  }
  return results
}

it.each([
  { name: 'S1', says: '429 with Retry-After', share: 0.78, refusals: 20 },
  { name: 'S2', says: 'RateLimit on every answer', share: 0.97, refusals: 0 },
  { name: 'S3', says: '429 and no more', share: 0.85, poisson: 0.8, refusals: 20, saysNothing: true },
  { name: 'S4', says: 'Retry-After, a limit halved and restored', share: 0.7, refusals: 25 },
  { name: 'S5', says: 'one pause of 2 s', share: 0.85, refusals: 1, before50: 3 },
  { name: 'S1-40-20', says: 'Retry-After, twice the rate and burst', share: 0.7, refusals: Infinity },
  { name: 'S1-20-5', says: 'Retry-After, half the burst', share: 0.7, refusals: Infinity },
])(
  'against an unknown limit it reaches $share of the optimal throughput with $refusals refusals at most: $name, $says',
  async ({ name, share, poisson = share, refusals, before50 = Infinity, saysNothing = false }) => {
    const results = await raceAll(name)
    const worst = (key: keyof RaceResult) => Math.max(...results.map((result) => result[key]))
    expect(worst('failed')).toBe(0)
    expect(worst('pending')).toBe(0)
    // Without headers there is no pause.
    if (!saysNothing) expect(worst('early')).toBe(0)
    expect(worst('refusals')).toBeLessThanOrEqual(refusals)
    // The ramp's third step is at 50 ms: responses take 25.
    expect(worst('before50')).toBeLessThanOrEqual(before50)
    // Alternates between all at once and a stream.
    const least = (isStream: number) =>
      Math.min(...results.filter((_, index) => index % 2 === isStream).map((result) => result.share))
    expect(least(0)).toBeGreaterThanOrEqual(share)
    expect(least(1)).toBeGreaterThanOrEqual(poisson)
  },
)
