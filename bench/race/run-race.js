import { openOnClock } from './open-server.js'
import { watchFetch } from './watch-fetch.js'

/** A run that takes longer is ended; what is not served by then is not served. */
const CAP_MS = 120_000
const STEP_MS = 100
/** How long after a pause it counts who comes at once. */
const REOPENING_MS = 50
const NEAR_MS = 1e-6

/**
 * Makes the calls of `scenario` with a client, until all are settled.
 *
 * @param makeClient ({ fetch, clock, server, url }) → what makes one call, and answers with its status
 * @param clock `now` and `after`; a virtual one is told to advance
 * @param open how the server is reached
 */
export async function runRace({
  scenario,
  makeClient,
  clock,
  open = openOnClock,
  capMs = CAP_MS,
  slackMs = NEAR_MS,
}) {
  const server = scenario.makeServer(clock.now)
  const way = await open(server, clock)
  const { fetch, requests } = watchFetch(way.fetch, clock, slackMs)
  const call = makeClient({ fetch, clock, server, url: way.url })
  const start = clock.now()
  let served = 0
  let failed = 0
  let lastAt = start

  const { length } = scenario.calls
  for (const atMs of scenario.calls) clock.after(atMs - (clock.now() - start), () => void make())
  async function make() {
    const status = await call().catch(() => undefined)
    if (status === 200) {
      served++
      lastAt = clock.now()
    } else failed++
  }

  while (served + failed < length && clock.now() - start < capMs) await pass(clock, STEP_MS)
  way.close()
  const tookMs = served < length ? capMs : lastAt - start - scenario.calls[0]
  return {
    goodput: (served / tookMs) * 1000,
    tookMs,
    requests: requests.length,
    refusals: requests.filter(({ status }) => status === 429).length,
    early: requests.filter(({ isEarly }) => isEarly).length,
    failed: length - served,
    ...reopening(requests),
  }
}

/** How many requests come with the first after the first pause: until 50 ms later, and before. */
function reopening(requests) {
  const reopenedAt = requests.find(({ pausedUntil }) => pausedUntil !== undefined)?.pausedUntil
  const after = requests.filter(({ sentAt }) => sentAt >= reopenedAt - NEAR_MS)
  const since = after.map(({ sentAt }) => sentAt - after[0].sentAt)
  return {
    within50: since.filter((ms) => ms <= REOPENING_MS + NEAR_MS).length,
    before50: since.filter((ms) => ms < REOPENING_MS - NEAR_MS).length,
  }
}

const pass = (clock, ms) => clock.advanceAsync?.(ms) ?? new Promise((resolve) => clock.after(ms, resolve))
