import { patient, type Settings } from './clients.ts'
import * as limits from './limits.ts'
import type { Limit } from './limits.ts'
import { after, burstAfterRest, crawl, poisson, poll, rows, screens, together, typing } from './pages.ts'
import type { Page } from './pages.ts'
import type { Random } from './random.ts'
import { draftFields, olderFields, type ServerSpec } from './servers.ts'

export interface Pairing {
  name: string
  server: ServerSpec
  page: Page
  settings?: Settings
  /** The number of independent clients that make the calls in turn. @default 1 */
  tabs?: number
  /** The number of seeds, where results vary much. */
  seeds?: number
  /** Slow or of little interest: only in the table, not in the tests. */
  isLong?: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A part of a server's specification, with its name. */
export interface Part extends ServerSpec {
  name: string
}
export interface Limited extends Part {
  limit: (random: Random) => Limit
}

const per = (windowMs: number): string =>
  ({ 1000: 'second', [MINUTE]: 'minute', [HOUR]: 'hour' })[windowMs] ?? `${windowMs / 1000} s`
const changed = (changes: limits.Changes = []): string =>
  changes.map(({ afterMs, factor }) => `, × ${factor} from ${afterMs / 1000} s`).join('')

const limited = (name: string, limit: Limited['limit']): Limited => ({ name, limit })

export const bucket = (rate: number, burst: number, changes?: limits.Changes) =>
  limited(`bucket ${Number(rate.toPrecision(3))}/s burst ${burst}${changed(changes)}`, () =>
    limits.bucket(rate, burst, changes),
  )
const delaying = (rate: number, burst: number) =>
  limited(`${rate}/s, holds back up to ${burst}`, () => limits.delaying(rate, burst))
export const alignedWindow = (most: number, windowMs: number, skewMs = 0) =>
  limited(`window ${most} per ${per(windowMs)}${skewMs ? ` skewed by ${skewMs / 1000} s` : ''}`, () =>
    limits.alignedWindow(most, windowMs, skewMs),
  )
export const slidingLog = (most: number, windowMs: number, changes?: limits.Changes) =>
  limited(`log ${most} per ${per(windowMs)}${changed(changes)}`, () =>
    limits.slidingLog(most, windowMs, changes),
  )
export const slidingCounter = (most: number, windowMs: number) =>
  limited(`counter ${most} per ${per(windowMs)}`, () => limits.slidingCounter(most, windowMs))
export const inFlight = (most: number, changes?: limits.Changes) =>
  limited(`${most} in flight${changed(changes)}`, () => limits.inFlight(most, changes))
export const allOf = (one: Limited, other: Limited) =>
  limited(`${one.name} and ${other.name}`, (random) => limits.allOf(one.limit(random), other.limit(random)))
export const sharedWith = ({ name, limit }: Limited, rate: number) =>
  limited(`${name}, another client at ${rate}/s`, (random) => limits.sharedWith(limit(random), rate, random))
export const pausing = ({ name, limit }: Limited, pauseMs: number, isExtended: boolean) =>
  limited(`${name}, ${isExtended ? 'each' : 'a first'} refusal closes for ${per(pauseMs)}`, (random) =>
    limits.pausing(limit(random), pauseMs, isExtended),
  )
export const outages = ({ name, limit }: Limited, ...spans: limits.Spans) =>
  limited(`${name}, down for ${spans.map(([from, to]) => per(to - from)).join(' and ')}`, (random) =>
    limits.outages(limit(random), spans),
  )
export const restarts = ({ name, limit }: Limited, atMs: number, forMs: number) =>
  limited(`${name}, restarts after ${atMs / 1000} s`, (random) =>
    limits.restarts(() => limit(random), atMs, forMs),
  )
const countingRefusals = ({ name, limit }: Limited) =>
  limited(`${name}, refusals count`, (random) => limits.countingRefusals(limit(random)))
export const growing = ({ name, limit }: Limited) =>
  limited(`${name}, pauses that double`, (random) => limits.growing(limit(random)))

export const healthy: Part = { name: 'healthy' }
export const noHeader: Part = { name: 'no Retry-After', retryAfter: 'none' }
const fields: Part = { name: 'fields', fields: draftFields() }
const even: Part = { name: 'even latency', jitter: 0 }
const ms = (latencyMs: number): Part => ({ name: `${latencyMs} ms`, latencyMs })
const retryAfter = (name: string, retryAfter: (waitMs: number) => number | undefined): Part => ({
  name: `Retry-After ${name}`,
  retryAfter,
})
export const strays = (share: number, status: number, retryAfter?: number): Part => ({
  name:
    `${share * 100} % ${status === 0 ? 'network errors' : `stray ${status}`}` +
    (retryAfter === undefined ? '' : ` with Retry-After: ${retryAfter}`),
  strays: [{ share, status, ...(retryAfter !== undefined && { retryAfter }) }],
})
const hung: Part = { name: 'silent /hung/', silent: { '/hung/': 1 } }
const slow: Part = { name: 'slow /reports/', slow: { '/reports/': [10_000, 60_000] } }
const onlySearch: Part = {
  name: 'only /search/ is limited, 2/s',
  routes: { '/search/': () => limits.bucket(2, 4) },
}

type How = Omit<Pairing, 'name' | 'server' | 'page'>

const keep: How = { settings: patient }
const noisy: How = { seeds: 8 }
const long: How = { settings: patient, isLong: true }
const ways = { keep, noisy, long, usual: {} }

/** Pages of a server, by how they are run. */
type Traffic = { [Way in keyof typeof ways]?: Page[] }

function meet(parts: Part | Part[], traffic: Traffic, more: How = {}): Pairing[] {
  const own = [parts].flat()
  const server = Object.assign({}, ...own) as ServerSpec
  const named = own.map(({ name }) => name).join(', ')
  return (Object.keys(ways) as (keyof Traffic)[]).flatMap((way) =>
    (traffic[way] ?? []).map((page) => {
      const isTwice = way !== 'keep' && traffic.keep?.some(({ name }) => name === page.name)
      const words = [
        page.name,
        isTwice && 'default options',
        more.tabs && `${more.tabs} tabs`,
        more.seeds && `${more.seeds} seeds`,
      ]
      return { name: `${named} · ${words.filter(Boolean).join(', ')}`, server, page, ...ways[way], ...more }
    }),
  )
}

const search: Page = { ...together(poll(1000, MINUTE), typing(25)), name: 'poll and search' }

/** Pages that make about `rate` calls a second. */
const usual = (rate: number): Traffic => ({
  keep: [rows(200), poisson(rate * 0.6, MINUTE), poisson(rate, 30_000), poisson(rate * 1.5, 20_000)],
  // Users do not type fast enough to reach the other rates.
  ...(rate < 10 ? { noisy: [typing(25), search] } : { usual: [search] }),
})

/** A page that makes a few calls, and then many at once. */
const rowsAfterPoll = (count: number): Page => together(poll(3000, MINUTE), after(MINUTE, rows(count)))
const rowsWhilePolling = (count: number): Page => together(poll(5000, MINUTE), after(20_000, rows(count)))

/** All calls are in flight before the first is refused. */
export const farRows = [
  ...meet([bucket(100, 100), ms(100)], { usual: [rows(1000)] }),
  ...meet([bucket(100, 20), ms(100)], { usual: [rows(1000)] }),
  ...meet([bucket(100, 20), ms(400)], { usual: [rows(1000)] }),
  ...meet([bucket(30, 5), ms(200)], { usual: [rows(300)] }),
]

const buckets = [
  ...meet(bucket(20, 10), usual(20)),
  ...meet([bucket(20, 10), noHeader], usual(20)),
  ...meet([bucket(20, 10), fields], usual(20)),
  // Its fields never say that more than one request is left.
  ...meet([bucket(20, 2), fields, ms(100)], { keep: [rows(150), crawl(3, 150)] }),
  ...meet(bucket(20, 5), { keep: [rows(150), poisson(30, 5000)] }),
  ...meet(bucket(40, 20), { keep: [rows(300), poisson(60, 5000)] }),
  ...meet(bucket(5, 1), usual(5)),
  // As nginx with `limit_req` and no burst.
  ...meet([bucket(20, 1), noHeader], { keep: [rows(200), poisson(15, MINUTE)] }),
  ...meet([delaying(20, 5), noHeader], { keep: [rows(200), poisson(25, 30_000)] }),
  ...meet([delaying(10, 20), noHeader], { keep: [rows(200)], usual: [rows(200)] }),
  ...meet([bucket(3, 5), noHeader], usual(3)),
  ...meet([bucket(100, 20), ms(5)], { long: [rows(1000)], usual: [poisson(90, 20_000)] }),
  ...meet([bucket(20, 40), ms(2000)], { keep: [rows(200)], usual: [typing(20), poisson(15, MINUTE)] }),
  ...meet([bucket(50, 10), ms(1000)], { keep: [poisson(45, 20_000), rows(300)] }),
  ...meet([bucket(1000, 100), ms(5)], { long: [rows(1500)], keep: [screens(6, 200, 300, 900)] }),
  ...meet([bucket(300, 300), noHeader], { long: [rows(3000)], keep: [rows(1000)] }),
  ...meet(bucket(1 / 3, 3), { keep: [rows(30)], usual: [poll(4000, 5 * MINUTE), typing(15)] }),
  ...meet([bucket(20, 10), even, ms(25)], { keep: [rows(150), poisson(30, 10_000)] }),
  ...meet([bucket(20, 10), ms(10)], { keep: [rowsAfterPoll(200)] }),
  ...meet([bucket(100, 20), ms(10)], { keep: [rowsAfterPoll(1000)] }),
  ...farRows,
]

const windows = [
  ...meet([alignedWindow(1000, 10_000), noHeader], {
    long: [rows(5000)],
    keep: [rows(2000)],
    usual: [poisson(60, 30_000)],
  }),
  ...meet([slidingLog(1000, 10_000), noHeader], { long: [rows(5000)], keep: [rows(1500)] }),
  ...meet([alignedWindow(1000, 10_000, 3000), noHeader, ms(10)], { long: [rows(5000)], keep: [rows(1500)] }),
  ...meet([alignedWindow(600, MINUTE, 50_000), noHeader], {
    long: [rows(3000)],
    keep: [poisson(12, 2 * MINUTE)],
  }),
  ...meet(alignedWindow(1000, 10_000, 7000), { long: [rows(5000), rows(2000)] }),
  ...meet([alignedWindow(1000, 10_000), noHeader, even], { long: [rows(5000)], keep: [rows(2500)] }),
  ...meet([slidingLog(1000, 10_000), noHeader, even, ms(300)], { long: [rows(5000)] }),
  ...meet([alignedWindow(1000, 10_000, 5000), noHeader, ms(1000)], { long: [rows(5000)] }, { seeds: 4 }),
  ...meet([alignedWindow(600, MINUTE), noHeader, even], { keep: [rows(1500)] }),
  ...meet([slidingLog(60, 6000), noHeader, even, ms(20)], { keep: [rows(300), poisson(12, 30_000)] }),
  ...meet([alignedWindow(600, MINUTE), noHeader], {
    long: [rows(2000)],
    keep: [rows(900)],
    usual: [search],
  }),
  ...meet(slidingLog(600, MINUTE), { keep: [rows(900), poisson(15, 2 * MINUTE)] }),
  ...meet([slidingLog(2000, MINUTE), noHeader], { long: [rows(5000)], usual: [poisson(25, MINUTE)] }),
  ...meet(slidingLog(100, 10_000), {
    keep: [
      rows(400),
      crawl(10, 300),
      screens(15, 30, 2000, 6000),
      burstAfterRest(150, 30_000, 150, 3),
      burstAfterRest(150, 2 * MINUTE, 90, 3),
    ],
    usual: [typing(25)],
  }),
  ...meet([slidingLog(100, 10_000), noHeader], { keep: [rows(400), poisson(14, 30_000)] }),
  ...meet([slidingLog(100, 10_000), noHeader], { keep: [crawl(4, 300)] }, noisy),
  ...meet(alignedWindow(10, 1000, 330), { keep: [rows(200)], usual: [typing(25), poisson(8, MINUTE)] }),
  ...meet([alignedWindow(20, 1000, 330), fields], { keep: [rows(200)], usual: [poisson(16, MINUTE)] }),
  ...meet(alignedWindow(10, MINUTE, 20_000), { keep: [rows(25)], noisy: [typing(20)] }),
  ...meet(alignedWindow(10, MINUTE, 20_000), { usual: [rows(25)] }, { seeds: 20 }),
  ...meet([alignedWindow(100, MINUTE, 12_000), fields], {
    keep: [rows(250), screens(8, 25, 3000, 8000)],
    usual: [search],
  }),
  ...meet(slidingCounter(50, 10_000), { keep: [rows(200)], usual: [poisson(4, MINUTE)] }),
  ...meet([slidingLog(5, 3000), { name: 'fields', fields: draftFields('a') }], {
    keep: [burstAfterRest(20, 16_000, 60), burstAfterRest(6, 4000, 60), burstAfterRest(6, 8000, 60)],
    usual: [typing(20)],
  }),
  // Default options: what is refused three times is lost.
  ...meet(slidingLog(5, 3000), { noisy: [rows(60), burstAfterRest(20, 5000, 20, 3), crawl(4, 60)] }),
  ...meet([slidingLog(3, 1000), noHeader], { noisy: [rows(60), typing(25)] }),
  ...meet(slidingLog(5, 1000), { noisy: [rows(100), poisson(4, MINUTE)] }),
  ...meet(slidingLog(10, 1000), { noisy: [poisson(8, MINUTE)] }),
  ...meet(countingRefusals(slidingLog(60, 10_000)), { keep: [rows(200), poisson(5, MINUTE)] }),
  ...meet(allOf(slidingLog(10, 1000), slidingLog(300, MINUTE)), { usual: [crawl(4, 400), rows(100)] }),
  ...meet(allOf(bucket(10, 10), slidingLog(200, MINUTE)), { keep: [rows(300), poisson(5, 2 * MINUTE)] }),
  ...meet(
    [alignedWindow(1000, HOUR, HOUR - 5 * MINUTE), { name: 'X-RateLimit', fields: olderFields('instant') }],
    { keep: [poisson(2, 10 * MINUTE), rows(1200)], usual: [rows(1200)] },
  ),
  ...meet(
    [
      alignedWindow(60, HOUR, HOUR - 90_000),
      { name: 'X-RateLimit in seconds', fields: olderFields('seconds') },
      noHeader,
    ],
    { keep: [rows(80)], usual: [typing(30)] },
  ),
]

const flight = [
  ...meet([inFlight(4), noHeader], {
    keep: [rows(200), poisson(50, 30_000), crawl(8, 300)],
    usual: [poisson(50, 30_000), typing(25)],
  }),
  ...meet([inFlight(10), noHeader], {
    keep: [rows(200), crawl(20, 400)],
    usual: [screens(15, 30, 2000, 6000)],
  }),
  ...meet([inFlight(4), noHeader, ms(500)], { keep: [rows(60), poisson(6, MINUTE)] }),
  ...meet([inFlight(10), noHeader, { name: '503', status: 503 }], { keep: [rows(200)] }),
  ...meet([allOf(bucket(30, 15), inFlight(6)), ms(150)], { keep: [rows(200)] }),
  // The first refusal arrives before any of the rows.
  ...meet([allOf(bucket(10, 10), inFlight(5)), ms(20)], { keep: [rowsWhilePolling(50)] }),
  ...meet([bucket(10, 4), noHeader], { keep: [rowsWhilePolling(50)] }),
]

const astray = [
  ...meet([healthy, strays(0.01, 429)], {
    usual: [poisson(50, MINUTE), rows(200), typing(30), crawl(8, 600)],
  }),
  ...meet([healthy, strays(0.01, 429)], { usual: [poisson(50, 10 * MINUTE)] }, { isLong: true }),
  ...meet([healthy, strays(0.05, 429)], { usual: [poisson(10, 2 * MINUTE)], noisy: [search] }),
  ...meet([healthy, strays(0.002, 429, 30)], { usual: [poisson(10, 10 * MINUTE), search] }),
  ...meet([healthy, strays(0.01, 429, 1)], { usual: [poisson(30, MINUTE), rows(300)] }),
  ...meet([healthy, strays(0.02, 503)], { usual: [poisson(30, MINUTE), search] }),
  ...meet([healthy, strays(0.01, 503, 2)], { usual: [poisson(20, MINUTE), typing(25)] }),
  ...meet([bucket(30, 15), strays(0.01, 503)], { keep: [rows(300)], usual: [poisson(20, MINUTE)] }),
  ...meet([bucket(50, 25), noHeader, strays(0.01, 429)], { keep: [rows(500)], usual: [poisson(35, MINUTE)] }),
  ...meet([healthy, strays(0.05, 429, 2)], { noisy: [typing(30)], usual: [crawl(4, 300)] }),
  ...meet([healthy, strays(0.01, 0)], { usual: [poisson(30, MINUTE), rows(200)] }),
  ...meet([outages(inFlight(Infinity), [10_000, 20_000]), noHeader, { name: '503', status: 503 }], {
    keep: [poisson(10, MINUTE)],
    usual: [search],
  }),
  ...meet(outages(bucket(30, 30), [5000, 12_000], [30_000, 33_000]), {
    keep: [poisson(20, MINUTE), screens(20, 20, 1000, 4000)],
  }),
  ...meet(healthy, { usual: [rows(1000), typing(25)] }),
]

const halves = [
  { afterMs: 5000, factor: 0.5 },
  { afterMs: 20_000, factor: 1 },
]
const wanders = [
  { afterMs: 4000, factor: 0.4 },
  { afterMs: 12_000, factor: 1.5 },
  { afterMs: 20_000, factor: 0.2 },
  { afterMs: 35_000, factor: 1 },
  { afterMs: 50_000, factor: 3 },
]
const swings = (everyMs: number): limits.Changes =>
  Array.from({ length: 20 }, (_, index) => ({ afterMs: (index + 1) * everyMs, factor: index % 2 ? 1 : 0.1 }))
const swinging = (everyMs: number): Limited => ({
  ...bucket(50, 50, swings(everyMs)),
  name: `bucket 50/s burst 50, a tenth of it every other ${everyMs / 1000} s`,
})
const forGood = (factor: number): limits.Changes => [{ afterMs: 15_000, factor }]
const changing = [
  ...meet(bucket(20, 10, halves), { keep: [rows(500), poisson(14, MINUTE)] }),
  ...meet([bucket(30, 10, wanders), noHeader], { keep: [rows(1000), poisson(15, 80_000)] }),
  ...meet(slidingLog(100, 5000, wanders), { keep: [rows(1000)] }),
  ...meet(sharedWith(bucket(40, 20), 20), { keep: [rows(300), poisson(15, MINUTE)], usual: [typing(25)] }),
  ...meet(bucket(30, 10), { keep: [rows(300), poisson(20, MINUTE)] }, { tabs: 3 }),
  ...meet([alignedWindow(100, 10_000, 5000), noHeader], { keep: [screens(12, 30, 2000, 5000)] }, { tabs: 2 }),
  ...meet([sharedWith(alignedWindow(100, 10_000), 8), noHeader], { keep: [rows(200)], noisy: [search] }),
  ...meet(swinging(10_000), { keep: [poisson(22, MINUTE)] }),
  ...meet(swinging(30_000), { keep: [poisson(22, MINUTE)] }),
  ...meet(bucket(5, 5, forGood(10)), { keep: [poisson(12, MINUTE), rows(600)] }),
  ...meet([slidingLog(20, 4000, forGood(10)), noHeader], { keep: [rows(600)] }),
  ...meet(bucket(50, 50, forGood(0.1)), { keep: [poisson(8, MINUTE)], noisy: [search] }),
  ...meet([inFlight(10, forGood(0.3)), noHeader, ms(200)], { keep: [crawl(12, 1000), poisson(12, MINUTE)] }),
]

const twiceTheLimit: ServerSpec['fields'] = (limit, at) =>
  draftFields()({ ...limit, quota: () => 100, remaining: () => 50 }, at)
const policyAlone: ServerSpec['fields'] = () => ({ 'ratelimit-policy': '"all";q=30;w=3' })
const whenRefused: ServerSpec['fields'] = (limit, at, _, isTaken) => (isTaken ? {} : draftFields()(limit, at))
const pauses = [
  ...meet(pausing(bucket(10, 20), 5000, true), {
    keep: [rows(100), poisson(8, MINUTE)],
    usual: [typing(25)],
  }),
  ...meet([pausing(bucket(10, 20), 3000, true), noHeader], { keep: [rows(100), poisson(8, MINUTE)] }),
  ...meet(pausing(slidingLog(60, 10_000), 10_000, false), {
    keep: [rows(200), crawl(10, 200)],
    usual: [search],
  }),
  ...meet([slidingLog(50, 5000), { name: 'fields that name twice the limit', fields: twiceTheLimit }], {
    keep: [rows(200), poisson(8, MINUTE)],
  }),
  ...meet([alignedWindow(30, 3000, 1000), { name: 'a policy alone', fields: policyAlone }, noHeader], {
    keep: [rows(200), screens(12, 20, 1000, 4000)],
  }),
  ...meet([bucket(2, 20), { name: 'fields in refusals alone', fields: whenRefused }], {
    keep: [rows(200), screens(12, 20, 1000, 4000)],
  }),
  ...meet([slidingLog(50, 20_000), retryAfter('too short', () => 1)], {
    keep: [rows(150), poisson(3, MINUTE)],
  }),
  ...meet([bucket(10, 10), retryAfter('of 0', () => 0)], { keep: [rows(100)] }),
  ...meet([bucket(20, 10), retryAfter('too long', () => 20)], {
    keep: [rows(200), poisson(12, 2 * MINUTE)],
    usual: [typing(25)],
  }),
  ...meet([alignedWindow(100, MINUTE), retryAfter('of a minute', () => 60)], {
    usual: [poisson(2.5, 3 * MINUTE), rows(150)],
  }),
  ...meet([alignedWindow(60, 15_000, 4000), { name: 'Retry-After as a date', retryAfter: 'date' }], {
    keep: [rows(200)],
    usual: [typing(20)],
  }),
  ...meet(
    [
      bucket(20, 10),
      // The missing tokens are practically random.
      retryAfter('in one of three', (waitMs) => (waitMs % 3 < 1 ? Math.ceil(waitMs / 1000) : undefined)),
    ],
    { keep: [rows(200), poisson(25, 20_000)] },
  ),
]

const twoRoutes: Part = {
  name: '5/s for /search/, 50/s for /rows/',
  routes: { '/search/': () => limits.bucket(5, 5), '/rows/': () => limits.bucket(50, 20) },
}
const itemsAndTyping = together(poisson(20, MINUTE), typing(25))
const routes = [
  ...meet(onlySearch, {
    keep: [itemsAndTyping, together(rows(400), rows(100, '/search/'))],
    usual: [itemsAndTyping],
    noisy: [search],
  }),
  ...meet([onlySearch, noHeader], { keep: [itemsAndTyping], noisy: [search] }),
  ...meet([bucket(200, 100), twoRoutes], {
    keep: [
      together(rows(60, '/search/'), rows(400)),
      together(poisson(3, MINUTE, '/search/'), poisson(20, MINUTE, '/rows/'), poisson(10, MINUTE)),
    ],
  }),
  ...meet([bucket(20, 20), slow], {
    usual: [together(rows(12, '/reports/'), poll(500, MINUTE))],
    keep: [together(rows(100), after(2000, rows(10, '/reports/')))],
  }),
  ...meet([healthy, slow, strays(0.01, 429, 2)], {
    usual: [together(poisson(0.5, 2 * MINUTE, '/reports/'), poisson(10, 2 * MINUTE))],
  }),
  ...meet(hung, { usual: [together(rows(8, '/hung/', 120_000), after(100, poisson(10, 40_000)))] }),
  ...meet([bucket(20, 10), hung], {
    keep: [
      together(poisson(12, MINUTE), poisson(0.4, MINUTE, '/hung/', 90_000)),
      together(rows(10, '/hung/', 90_000), rows(200)),
    ],
  }),
  ...meet([{ name: '1 % silent', silent: { '/': 0.01 } }, strays(0.01, 429, 1)], {
    usual: [poisson(20, 2 * MINUTE, '/items/', 30_000)],
  }),
]

const rests = [
  ...meet(bucket(10, 30), {
    keep: [
      burstAfterRest(60, 30_000, 60, 4),
      burstAfterRest(60, 5 * MINUTE, 60, 3),
      screens(20, 20, 1500, 5000),
    ],
  }),
  ...meet([alignedWindow(500, 5000, 1000), noHeader], { keep: [burstAfterRest(600, 20_000, 600, 2)] }),
  ...meet([alignedWindow(40, 10_000, 3000), noHeader], {
    keep: [burstAfterRest(60, 20_000, 60, 4), screens(20, 12, 2000, 5000)],
  }),
  ...meet(bucket(15, 15), {
    keep: [together(typing(20), poll(1000, MINUTE), screens(8, 20, 4000, 9000), after(20_000, rows(100)))],
  }),
  ...meet(bucket(15, 15), { keep: [rows(150)] }, { settings: { ...patient, concurrency: 4 } }),
]

export const pairings: readonly Pairing[] = [
  ...buckets,
  ...windows,
  ...flight,
  ...astray,
  ...changing,
  ...pauses,
  ...routes,
  ...rests,
]
