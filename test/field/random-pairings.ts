import { patient } from './clients.ts'
import type { Page } from './pages.ts'
import * as pages from './pages.ts'
import * as parts from './pairings.ts'
import type { Limited, Pairing, Part } from './pairings.ts'
import { createRandom, type Random } from './random.ts'
import { draftFields, olderFields, type ServerSpec } from './servers.ts'

/** Returns the random pairing of this seed. */
export function randomPairing(seed: number): Pairing {
  const random = createRandom(seed * 7919)
  // The first draws of similar seeds are similar.
  for (let skipped = 0; skipped < 5; skipped++) random()
  const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const [part, rate] = randomLimit(random, oneOf)
  const server: ServerSpec = {
    ...(part.limit && { limit: part.limit }),
    latencyMs: oneOf(5, 25, 40, 40, 80, 150, 300, 800),
    jitter: oneOf(0, 1, 1, 1, 2),
    retryAfter: oneOf('whole', 'whole', 'whole', 'none', 'none', 'date'),
  }
  const drawn = oneOf('', '', '', '', 'draft', 'draft', 'older')
  // No field names a limit on requests in flight.
  const fields = part.limit && !part.name.includes('in flight') ? drawn : ''
  if (fields) server.fields = fields === 'draft' ? draftFields() : olderFields(oneOf('instant', 'seconds'))
  const share = part.limit && oneOf(0, 0, 1) < 1 ? 0 : oneOf(0.002, 0.01, 0.03)
  const strayAfter = oneOf(undefined, 1, 5)
  const strays = share ? parts.strays(share, oneOf(429, 429, 503), strayAfter) : undefined
  if (strays?.strays) server.strays = strays.strays
  const page = randomPage(random, oneOf, rate)
  const isPatient = oneOf(true, true, false)
  const plain: Pairing = { name: part.name, server, page, seeds: 3, ...(isPatient && { settings: patient }) }
  const pairing = twist(plain, rate, random, oneOf)
  const { latencyMs, jitter, retryAfter } = pairing.server
  const named = [`#${seed}`, pairing.name, `${latencyMs} ms ±${jitter}`, String(retryAfter), fields]
  const words = [...named, strays?.name, pairing.page.name, isPatient ? '' : 'default']
  return { ...pairing, name: words.filter(Boolean).join(' · ') }
}

/** Changes every other pairing into one of a kind that the other draws cannot give. */
function twist(pairing: Pairing, rate: number, random: Random, oneOf: OneOf): Pairing {
  const { name, server, page } = pairing
  const { limit } = server
  if (random() < 0.5) return pairing
  const named = (more: string, change: Partial<Pairing>): Pairing => ({
    ...pairing,
    name: `${name}, ${more}`,
    ...change,
  })
  const limited = (make: (part: Limited) => Limited): Pairing => {
    if (!limit) return pairing
    const part = make({ name, limit })
    return { ...pairing, name: part.name, server: { ...server, limit: part.limit } }
  }
  const atMs = Math.round(between(random, 2000, 20_000))
  const pause = oneOf(1000, 3000, 10_000)
  const factor = oneOf(0.2, 0.5, 2, 5)
  const kinds = 'tabs far route 503 again restart growing pausing other rest change'
  switch (oneOf(...kinds.split(' '))) {
    case 'tabs': {
      const tabs = oneOf(2, 3, 5)
      return named(`${tabs} tabs`, { tabs })
    }
    case 'far':
      return named('far', { server: { ...server, latencyMs: oneOf(1500, 4000) } })
    case 'route': {
      const { limit: own, ...free } = server
      if (!own) return pairing
      const mixed = pages.together(page, pages.poisson(20, 30_000, '/free/'), pages.typing(15))
      const routes = page.name.includes('typing')
        ? ['/search/']
        : ['/items/', '/rows/', '/pages/', '/screens/']
      const limitOf = Object.fromEntries(routes.map((route) => [route, own]))
      return named(`only ${routes.join(' ')}`, { server: { ...free, routes: limitOf }, page: mixed })
    }
    case '503':
      return named('503', { server: { ...server, status: 503, retryAfter: oneOf('none', 'whole') } })
    case 'again':
      return named('Retry-After too short', { server: { ...server, retryAfter: () => pause % 3 } })
    case 'restart':
      return name.includes('in flight') ? pairing : limited((part) => parts.restarts(part, atMs, pause))
    case 'growing':
      return limited(parts.growing)
    case 'pausing':
      return limited((part) => parts.pausing(part, pause, oneOf(true, false)))
    case 'other':
      return limited((part) =>
        parts.sharedWith(part, Number((rate * between(random, 0.1, 0.8)).toPrecision(2))),
      )
    case 'rest': {
      const size = Math.min(Math.max(10, Math.round(rate * between(random, 1, 20))), 400)
      return named('rests', { page: pages.burstAfterRest(size, oneOf(120_000, 600_000), size, 2) })
    }
    default: {
      const burst = Math.max(1, Math.round(rate * between(random, 0.1, 4)))
      return limited(() => parts.bucket(rate, burst, [{ afterMs: atMs, factor }]))
    }
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
