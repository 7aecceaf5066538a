import { createFieldClock } from './clock.ts'
import { clients, type ClientName } from './clients.ts'
import { createNetwork, ORIGIN, type Network } from './network.ts'
import type { Stage } from './pages.ts'
import type { Pairing } from './pairings.ts'
import { createRandom } from './random.ts'
import { createServer } from './servers.ts'

export interface Figures {
  /** Calls made by the page, and those it aborted itself. */
  calls: number
  aborted: number
  served: number
  /** Rejected, or settled with another status than 200. */
  lost: number
  /** Responses of 429 and 503, and all requests. */
  refused: number
  requests: number
  intoPause: number
  closings: number
  /** Ms from the first call until the last was settled. */
  tookMs: number
  /** Ms from call to response of the served calls, sorted. */
  times: number[]
  /** `served` of each seed. */
  servedOf: number[]
}

/** Calls not settled by then count as lost. */
const CAP_MS = 4 * 3_600_000

/** Makes the calls of the page with one client. */
export async function run(pairing: Pairing, client: ClientName, seed: number): Promise<Figures> {
  const { server: spec, page, settings = {} } = pairing
  const clock = createFieldClock()
  const startAt = clock.now()
  const startWall = clock.wall()
  const server = createServer(spec, createRandom(seed), (at) => startWall + at)
  const figures = { calls: 0, aborted: 0, served: 0, lost: 0, closings: 0, tookMs: 0 }
  const times: number[] = []
  // The omniscient client knows all tabs, so it is one.
  const tabs = Array.from({ length: client === 'omniscient' ? 1 : (pairing.tabs ?? 1) }, (_, tab) => {
    const network = createNetwork(clock, server, seed, client === 'omniscient')
    const send = clients[client]({
      fetch: network.fetch,
      clock,
      random: createRandom(seed + 1 + 10 * tab),
      server,
      settings,
      onClosing() {
        figures.closings++
      },
    })
    return { network, send }
  })
  let open = 0
  let isOver = false

  const call: Stage['call'] = async (path, { signal, patienceMs } = {}) => {
    const calledAt = clock.now()
    const patience = patienceMs === undefined ? undefined : new AbortController()
    const cancel = patience && clock.after(patienceMs!, () => patience.abort())
    open++
    const { send } = tabs[figures.calls++ % tabs.length]!
    const own = patience?.signal ?? signal
    const status = await send(ORIGIN + path, own ? { signal: own } : {}).then(
      (response) => response.status,
      () => undefined,
    )
    cancel?.()
    open--
    if (signal?.aborted) {
      figures.aborted++
      return
    }
    figures.tookMs = clock.now() - startAt
    if (status === 200) {
      figures.served++
      times.push(clock.now() - calledAt)
    } else figures.lost++
  }

  const sleep = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve))
  const stage = { random: createRandom(seed + 2), sleep, call }
  void page.play(stage).then(() => (isOver = true))
  await clock.run(() => isOver && open === 0, startAt + CAP_MS)
  if (open > 0) figures.tookMs = CAP_MS
  const sum = (what: keyof Network['counts']): number =>
    tabs.reduce((total, { network }) => total + network.counts[what], 0)
  return {
    ...figures,
    lost: figures.lost + open,
    requests: sum('requests'),
    refused: sum('refused'),
    intoPause: sum('intoPause'),
    times: times.sort((a, b) => a - b),
    servedOf: [figures.served],
  }
}

/** Pages with fewer calls run with more seeds. */
const ENOUGH_CALLS = 300
const MOST_SEEDS = 3

/** The figures of `seeds` seeds; by default as many as the pairing sets, or enough for some hundred calls. */
export async function runSeeds(
  pairing: Pairing,
  client: ClientName,
  seeds: number | undefined = pairing.seeds,
): Promise<Figures> {
  const runs: Figures[] = []
  let calls = 0
  const isEnough = (): boolean =>
    seeds === undefined ? calls >= ENOUGH_CALLS || runs.length >= MOST_SEEDS : runs.length >= seeds
  while (!isEnough()) {
    const figures = await run(pairing, client, (runs.length + 1) * 1000)
    runs.push(figures)
    calls += figures.calls
  }
  return merge(runs)
}

/** The figures of several seeds as one: sums, and the mean of the times until the last call. */
function merge(runs: readonly Figures[]): Figures {
  const sum = (of: (figures: Figures) => number): number => runs.reduce((total, one) => total + of(one), 0)
  return {
    calls: sum(({ calls }) => calls),
    aborted: sum(({ aborted }) => aborted),
    served: sum(({ served }) => served),
    lost: sum(({ lost }) => lost),
    refused: sum(({ refused }) => refused),
    requests: sum(({ requests }) => requests),
    intoPause: sum(({ intoPause }) => intoPause),
    closings: sum(({ closings }) => closings),
    tookMs: sum(({ tookMs }) => tookMs) / runs.length,
    times: runs.flatMap(({ times }) => times).sort((a, b) => a - b),
    servedOf: runs.flatMap(({ servedOf }) => servedOf),
  }
}

/** The time that `share` of the served calls did not exceed; 0 if none was served. */
export function percentile({ times }: Figures, share: number): number {
  return times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0
}
