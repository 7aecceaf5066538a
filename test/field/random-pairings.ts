import { patient } from './clients.ts'
import type { Page } from './pages.ts'
import * as pages from './pages.ts'
import * as parts from './pairings.ts'
import type { Pairing, Part } from './pairings.ts'
import { createRandom, type Random } from './random.ts'
import { draftFields, olderFields, type ServerSpec } from './servers.ts'

/** Returns the random pairing of this seed. */
export function randomPairing(seed: number): Pairing {
  const random = createRandom(seed * 7919)
  // The first draws of similar seeds are similar.
  for (let skipped = 0; skipped < 5; skipped++) random()
  const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const [{ name, limit }, rate] = randomLimit(random, oneOf)
  const server: ServerSpec = {
    ...(limit && { limit }),
    latencyMs: oneOf(5, 25, 40, 40, 80, 150, 300, 800),
    jitter: oneOf(0, 1, 1, 1, 2),
    retryAfter: oneOf('whole', 'whole', 'whole', 'none', 'none', 'date'),
  }
  const fields = limit && oneOf('', '', '', '', 'draft', 'draft', 'older')
  if (fields) server.fields = fields === 'draft' ? draftFields() : olderFields(oneOf('instant', 'seconds'))
  const share = limit && oneOf(0, 0, 1) < 1 ? 0 : oneOf(0.002, 0.01, 0.03)
  const strayAfter = oneOf(undefined, 1, 5)
  const strays = share ? parts.strays(share, oneOf(429, 429, 503), strayAfter) : undefined
  if (strays?.strays) server.strays = strays.strays
  const page = randomPage(random, oneOf, rate)
  const isPatient = oneOf(true, true, false)
  const { latencyMs, jitter, retryAfter } = server
  const named = [`#${seed}`, name, `${latencyMs} ms ±${jitter}`, String(retryAfter), fields]
  return {
    name: [...named, strays?.name, page.name, isPatient ? '' : 'default'].filter(Boolean).join(' · '),
    server,
    page,
    seeds: 3,
    ...(isPatient && { settings: patient }),
  }
}

type OneOf = <Item>(...items: readonly Item[]) => Item

const between = (random: Random, from: number, to: number): number => from * (to / from) ** random()

/** Returns a limit, and about how many requests a second it admits. */
function randomLimit(random: Random, oneOf: OneOf): [part: Part, rate: number] {
  const windows = ['alignedWindow', 'slidingLog', 'slidingCounter'] as const
  const kind = oneOf('bucket', 'bucket', 'bucket', ...windows, 'inFlight', 'none')
  if (kind === 'none') return [parts.healthy, between(random, 5, 60)]
  if (kind === 'inFlight') {
    const most = Math.round(between(random, 2, 30))
    return [parts.inFlight(most), most * 10]
  }
  if (kind === 'bucket') {
    const rate = Number(between(random, 0.5, 300).toPrecision(2))
    return [parts.bucket(rate, Math.max(1, Math.round(rate * between(random, 0.1, 4)))), rate]
  }
  const windowMs = oneOf(1000, 5000, 10_000, 30_000, 60_000)
  const most = Math.max(2, Math.round((between(random, 0.5, 150) * windowMs) / 1000))
  const skewMs = Math.round(random() * windowMs)
  const window =
    kind === 'alignedWindow' ? parts.alignedWindow(most, windowMs, skewMs) : parts[kind](most, windowMs)
  return [window, (most * 1000) / windowMs]
}

/** Returns a page with call rates near `rate`. */
function randomPage(random: Random, oneOf: OneOf, rate: number): Page {
  const seconds = between(random, 8, 60)
  const kind = oneOf('rows', 'poisson', 'poisson', 'crawl', 'screens', 'burst', 'search', 'mix')
  const own = Number((rate * between(random, 0.3, 2)).toPrecision(2))
  const count = Math.min(Math.max(20, Math.round(rate * seconds)), 1500)
  switch (kind) {
    case 'rows':
      return pages.rows(count)
    case 'poisson':
      return pages.poisson(own, Math.min(seconds * 1000, 1_500_000 / own))
    case 'crawl':
      return pages.crawl(Math.round(between(random, 2, 30)), count)
    case 'screens': {
      const perScreen = Math.max(3, Math.round(own))
      return pages.screens(Math.max(3, Math.round(Math.min(20, 1500 / perScreen))), perScreen, 800, 4000)
    }
    case 'burst': {
      const size = Math.min(count, 400)
      return pages.burstAfterRest(size, oneOf(3000, 15_000, 60_000), size, 3)
    }
    case 'search':
      return pages.together(pages.poll(1000, 40_000), pages.typing(20))
    default:
      return pages.together(
        pages.poisson(Math.min(own, 50), 30_000),
        pages.typing(15),
        pages.after(10_000, pages.rows(Math.min(count, 300))),
      )
  }
}
