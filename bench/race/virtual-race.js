import { createRandom } from '../random.js'
import { makeOmniscient } from './omniscient.js'
import { makeOurs } from './ours.js'
import { runRace } from './run-race.js'
import { makeScenario } from './scenarios.js'

/** Runs lull in one scenario, and compares its goodput with the omniscient client's; both on virtual clocks. */
export async function raceOnVirtualClock(
  { createRateLimitedFetch, createManualClock },
  { name, poissonSeed, randomSeed, options },
) {
  const scenario = makeScenario(name, poissonSeed)
  const best = await runRace({ scenario, makeClient: makeOmniscient, clock: createManualClock() })
  // In S5 no client can know of the pause beforehand.
  if (best.refusals > (name === 'S5' ? 1 : 0) || best.failed > 0)
    throw new Error(`${name}: the omniscient client was refused`)

  const clock = createManualClock()
  const makeClient = makeOurs(createRateLimitedFetch, { random: createRandom(randomSeed), ...options })
  const ours = await runRace({ scenario, makeClient, clock })
  return { ...ours, share: ours.goodput / best.goodput, pending: clock.pending }
}
