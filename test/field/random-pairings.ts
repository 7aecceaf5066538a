import { patient } from './clients.ts'
import * as limits from './limits.ts'
import type { Page } from './pages.ts'
import * as pages from './pages.ts'
import type { Pairing } from './pairings.ts'
import { createRandom, type Random } from './random.ts'
import { draftFields, olderFields, type ServerSpec } from './servers.ts'

/** A pairing that nobody thought of: the one of this seed. */
export function randomPairing(seed: number): Pairing {
  const random = createRandom(seed * 7919)
  // The first draws of seeds alike are alike.
  for (let skipped = 0; skipped < 5; skipped++) random()
  const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const [limit, rate, limitName] = randomLimit(random, oneOf)
  const server: ServerSpec = {
    ...(limit && { limit }),
    latencyMs: oneOf(5, 25, 40, 40, 80, 150, 300, 800),
    jitter: oneOf(0, 1, 1, 1, 2),
    retryAfter: oneOf('whole', 'whole', 'whole', 'none', 'none', 'date'),
  }
  const fields = limit && oneOf('', '', '', '', 'draft', 'draft', 'older')
  if (fields) server.fields = fields === 'draft' ? draftFields() : olderFields(oneOf('instant', 'seconds'))
  const stray = limit && oneOf(0, 0, 1) < 1 ? 0 : oneOf(0.002, 0.01, 0.03)
  const strayAfter = oneOf(undefined, 1, 5)
  if (stray)
    server.strays = [
      {
        share: stray,
        status: oneOf(429, 429, 503),
        ...(strayAfter !== undefined && { retryAfter: strayAfter }),
      },
    ]
  const [page, pageName] = randomPage(random, oneOf, rate)
  const isPatient = oneOf(true, true, false)
  return {
    name: [
      `#${seed}`,
      limitName,
      `${server.latencyMs} ms ±${server.jitter}`,
      server.retryAfter as string,
      fields,
      stray && `strays ${stray} ${server.strays![0]!.status} ${strayAfter ?? ''}`,
      pageName,
      isPatient ? '' : 'default',
    ]
      .filter(Boolean)
      .join(' · '),
    server,
    page,
    seeds: 3,
    ...(isPatient && { settings: patient }),
  }
}

type OneOf = <Item>(...items: readonly Item[]) => Item

/** A limit, and about how many requests a second it takes. */
function randomLimit(random: Random, oneOf: OneOf): [ServerSpec['limit'], number, string] {
  const between = (from: number, to: number): number => from * (to / from) ** random()
  const kind = oneOf(
    'bucket',
    'bucket',
    'bucket',
    'alignedWindow',
    'slidingLog',
    'slidingCounter',
    'inFlight',
    'none',
  )
  if (kind === 'none') return [undefined, between(5, 60), kind]
  if (kind === 'inFlight') {
    const most = Math.round(between(2, 30))
    return [() => limits.inFlight(most), most * 10, `${most} in flight`]
  }
  if (kind === 'bucket') {
    const rate = Number(between(0.5, 300).toPrecision(2))
    const burst = Math.max(1, Math.round(rate * between(0.1, 4)))
    return [() => limits.bucket(rate, burst), rate, `bucket ${rate}/s burst ${burst}`]
  }
  const windowMs = oneOf(1000, 5000, 10_000, 30_000, 60_000)
  const most = Math.max(2, Math.round((between(0.5, 150) * windowMs) / 1000))
  const skewMs = Math.round(random() * windowMs)
  const make = {
    alignedWindow: () => limits.alignedWindow(most, windowMs, skewMs),
    slidingLog: () => limits.slidingLog(most, windowMs),
    slidingCounter: () => limits.slidingCounter(most, windowMs),
  }[kind]
  return [make, (most * 1000) / windowMs, `${kind} ${most} per ${windowMs / 1000} s`]
}

/** Calls at rates about `rate`. */
function randomPage(random: Random, oneOf: OneOf, rate: number): [Page, string] {
  const between = (from: number, to: number): number => from * (to / from) ** random()
  const seconds = between(8, 60)
  const kind = oneOf('rows', 'poisson', 'poisson', 'crawl', 'screens', 'burst', 'search', 'mix')
  const factor = between(0.3, 2)
  const own = Number((rate * factor).toPrecision(2))
  const count = Math.min(Math.max(20, Math.round(rate * seconds)), 1500)
  switch (kind) {
    case 'rows':
      return [pages.rows(count), `${count} rows`]
    case 'poisson': {
      const ms = Math.min(seconds * 1000, 1_500_000 / own)
      return [pages.poisson(own, ms), `Poisson ${own}/s for ${Math.round(ms / 1000)} s`]
    }
    case 'crawl': {
      const workers = Math.round(between(2, 30))
      return [pages.crawl(workers, count), `${workers} workers, ${count}`]
    }
    case 'screens': {
      const perScreen = Math.max(3, Math.round(own))
      const screens = Math.max(3, Math.round(Math.min(20, 1500 / perScreen)))
      return [pages.screens(screens, perScreen, [800, 4000]), `${screens} screens of ${perScreen}`]
    }
    case 'burst': {
      const size = Math.min(count, 400)
      const restMs = oneOf(3000, 15_000, 60_000)
      return [pages.burstAfterRest(size, restMs, size, 3), `${size}, ${restMs / 1000} s, ${size}, …`]
    }
    case 'search':
      return [pages.together(pages.poll(1000, 40_000), pages.typing(20)), 'poll and search']
    default:
      return [
        pages.together(
          pages.poisson(Math.min(own, 50), 30_000),
          pages.typing(15),
          pages.after(10_000, pages.rows(Math.min(count, 300))),
        ),
        `Poisson ${Math.min(own, 50)}/s, typing and rows`,
      ]
  }
}
