import { openOnClock } from './open-server.js'
import { watchFetch } from './watch-fetch.js'

/** A run is stopped after this time. Calls not served by then count as unserved. */
const CAP_MS = 120_000
const STEP_MS = 100
/** Requests within this time after the first one after a pause are counted. */
const REOPENING_MS = 50
const NEAR_MS = 1e-6

/**
 * Makes the calls of `scenario` with a client, until all are settled.
 *
 * @param makeClient ({ fetch, clock, server, url }) → a function that makes one call and resolves with its status
 * @param clock has `now` and `after`; a virtual clock is advanced
 * @param open opens the server
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

/** Counts the requests from the first one after the first pause until 50 ms later, with and without those at the end. */
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
