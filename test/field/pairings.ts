import { patient, type Settings } from './clients.ts'
import * as limits from './limits.ts'
import * as pages from './pages.ts'
import type { Page } from './pages.ts'
import { draftFields, olderFields, type ServerSpec } from './servers.ts'

export interface Pairing {
  name: string
  server: ServerSpec
  page: Page
  settings?: Settings
  /** As many clients that know nothing of each other make the calls in turn. @default 1 */
  tabs?: number
  /** Chance decides much: how many seeds it takes to see the client through it. */
  seeds?: number
  /** Takes long or adds little: in the table only. */
  isLong?: boolean
}

const { bucket, alignedWindow, slidingLog, slidingCounter, inFlight } = limits
const { rows, burstAfterRest, poisson, poll, typing, crawl, screens, together, after } = pages

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type How = Omit<Pairing, 'name' | 'server' | 'page'>
type Traffic = Record<string, Page | readonly [Page, How]>

const keep: How = { settings: patient }
const noisy: How = { seeds: 8 }
const long: How = { settings: patient, isLong: true }

function meet(server: string, spec: ServerSpec, traffic: Traffic): Pairing[] {
  return Object.entries(traffic).map(([name, page]) => {
    const [play, how] = typeof page === 'function' ? [page, {}] : page
    return { name: `${server} · ${name}`, server: spec, page: play, ...how }
  })
}

const search = together(poll(1000, MINUTE), typing(25))

/** Pages that come to one server at about `rate` a second. */
const usual = (rate: number): Traffic => ({
  '200 rows': [rows(200), keep],
  [`Poisson ${rate * 0.6}/s`]: [poisson(rate * 0.6, MINUTE), keep],
  [`Poisson ${rate}/s`]: [poisson(rate, 30_000), keep],
  [`Poisson ${rate * 1.5}/s`]: [poisson(rate * 1.5, 20_000), keep],
  // Nobody types fast enough for the others.
  ...(rate < 10 && { typing: [typing(25), noisy] }),
  'poll and search': [search, rate < 10 ? noisy : {}],
})

const buckets = [
  ...meet('bucket 20/s burst 10', { limit: () => bucket(20, 10) }, usual(20)),
  ...meet('bucket 20/s burst 10, no header', { limit: () => bucket(20, 10), retryAfter: 'none' }, usual(20)),
  ...meet('bucket 20/s burst 10, fields', { limit: () => bucket(20, 10), fields: draftFields() }, usual(20)),
  ...meet(
    'bucket 20/s burst 5',
    { limit: () => bucket(20, 5) },
    { '150 rows': [rows(150), keep], 'Poisson 30/s': [poisson(30, 5000), keep] },
  ),
  ...meet(
    'bucket 40/s burst 20',
    { limit: () => bucket(40, 20) },
    { '300 rows': [rows(300), keep], 'Poisson 60/s': [poisson(60, 5000), keep] },
  ),
  ...meet('bucket 5/s burst 1', { limit: () => bucket(5, 1) }, usual(5)),
  ...meet('bucket 3/s burst 5, no header', { limit: () => bucket(3, 5), retryAfter: 'none' }, usual(3)),
  ...meet(
    'bucket 100/s burst 20, 5 ms',
    { limit: () => bucket(100, 20), latencyMs: 5 },
    { '1,000 at once': [rows(1000), long], 'Poisson 90/s': poisson(90, 20_000) },
  ),
  ...meet(
    'bucket 20/s burst 40, 2 s',
    { limit: () => bucket(20, 40), latencyMs: 2000 },
    { '200 rows': [rows(200), keep], typing: typing(20), 'Poisson 15/s': poisson(15, MINUTE) },
  ),
  ...meet(
    'bucket 50/s burst 10, 1 s',
    { limit: () => bucket(50, 10), latencyMs: 1000 },
    { 'Poisson 45/s': [poisson(45, 20_000), keep], '300 rows': [rows(300), keep] },
  ),
  ...meet(
    'bucket 1,000/s burst 100, 5 ms',
    { limit: () => bucket(1000, 100), latencyMs: 5 },
    { '1,500 at once': [rows(1500), long], 'screens of 200': [screens(6, 200, [300, 900]), keep] },
  ),
  ...meet(
    'bucket 300/s burst 300, no header',
    { limit: () => bucket(300, 300), retryAfter: 'none' },
    { '3,000 at once': [rows(3000), long], '1,000 at once': [rows(1000), keep] },
  ),
  ...meet(
    'bucket 1 per 3 s burst 3',
    { limit: () => bucket(1 / 3, 3) },
    { '30 rows': [rows(30), keep], 'a call every 4 s': poll(4000, 5 * MINUTE), typing: typing(15) },
  ),
]

const windows = [
  ...meet(
    'window 1,000 per 10 s, no Retry-After',
    { limit: () => alignedWindow(1000, 10_000), retryAfter: 'none' },
    {
      '5,000 at once': [rows(5000), long],
      '2,000 at once': [rows(2000), keep],
      'Poisson 60/s': poisson(60, 30_000),
    },
  ),
  ...meet(
    'log 1,000 per 10 s, no Retry-After',
    { limit: () => slidingLog(1000, 10_000), retryAfter: 'none' },
    { '5,000 at once': [rows(5000), long], '1,500 at once': [rows(1500), keep] },
  ),
  ...meet(
    'window 1,000 per 10 s skewed by 3 s, no Retry-After, 10 ms',
    { limit: () => alignedWindow(1000, 10_000, 3000), retryAfter: 'none', latencyMs: 10 },
    { '5,000 at once': [rows(5000), long], '1,500 at once': [rows(1500), keep] },
  ),
  ...meet(
    'window 600 per minute skewed by 50 s, no Retry-After',
    { limit: () => alignedWindow(600, MINUTE, 50_000), retryAfter: 'none' },
    { '3,000 at once': [rows(3000), long], 'Poisson 12/s': [poisson(12, 2 * MINUTE), keep] },
  ),
  ...meet(
    'window 1,000 per 10 s skewed by 7 s',
    { limit: () => alignedWindow(1000, 10_000, 7000) },
    { '5,000 at once': [rows(5000), long], '2,000 at once': [rows(2000), long] },
  ),
  ...meet(
    'window 1,000 per 10 s, no Retry-After, even latency',
    { limit: () => alignedWindow(1000, 10_000), retryAfter: 'none', jitter: 0 },
    { '5,000 at once': [rows(5000), long], '2,500 at once': [rows(2500), keep] },
  ),
  ...meet(
    'log 1,000 per 10 s, no Retry-After, even latency of 300 ms',
    { limit: () => slidingLog(1000, 10_000), retryAfter: 'none', latencyMs: 300, jitter: 0 },
    { '5,000 at once': [rows(5000), long] },
  ),
  ...meet(
    'window 1,000 per 10 s skewed by 5 s, no Retry-After, 1 s',
    { limit: () => alignedWindow(1000, 10_000, 5000), retryAfter: 'none', latencyMs: 1000 },
    { '5,000 at once': [rows(5000), { ...long, seeds: 4 }] },
  ),
  ...meet(
    'window 600 per minute, no Retry-After, even latency',
    { limit: () => alignedWindow(600, MINUTE), retryAfter: 'none', jitter: 0 },
    { '1,500 at once': [rows(1500), keep] },
  ),
  ...meet(
    'log 60 per 6 s, no Retry-After, even latency',
    { limit: () => slidingLog(60, 6000), retryAfter: 'none', jitter: 0, latencyMs: 20 },
    { '300 rows': [rows(300), keep], 'Poisson 12/s': [poisson(12, 30_000), keep] },
  ),
  ...meet(
    'bucket 20/s burst 10, even latency',
    { limit: () => bucket(20, 10), jitter: 0, latencyMs: 25 },
    { '150 rows': [rows(150), keep], 'Poisson 30/s': [poisson(30, 10_000), keep] },
  ),
  ...meet(
    'window 600 per minute, no Retry-After',
    { limit: () => alignedWindow(600, MINUTE), retryAfter: 'none' },
    { '2,000 at once': [rows(2000), long], '900 at once': [rows(900), keep], 'poll and search': search },
  ),
  ...meet(
    'log 600 per minute',
    { limit: () => slidingLog(600, MINUTE) },
    { '900 at once': [rows(900), keep], 'Poisson 15/s': [poisson(15, 2 * MINUTE), keep] },
  ),
  ...meet(
    'log 2,000 per minute, no Retry-After',
    { limit: () => slidingLog(2000, MINUTE), retryAfter: 'none' },
    { '5,000 at once': [rows(5000), long], 'Poisson 25/s': poisson(25, MINUTE) },
  ),
  ...meet(
    'log 100 per 10 s',
    { limit: () => slidingLog(100, 10_000) },
    {
      '400 rows': [rows(400), keep],
      '10 workers': [crawl(10, 300), keep],
      'screens of 30': [screens(15, 30, [2000, 6000]), keep],
      typing: typing(25),
    },
  ),
  ...meet(
    'log 100 per 10 s, no Retry-After',
    { limit: () => slidingLog(100, 10_000), retryAfter: 'none' },
    {
      '400 rows': [rows(400), keep],
      '4 workers': [crawl(4, 300), { ...keep, ...noisy }],
      'Poisson 14/s': [poisson(14, 30_000), keep],
    },
  ),
  ...meet(
    'window 10 per second',
    { limit: () => alignedWindow(10, 1000, 330) },
    { '200 rows': [rows(200), keep], typing: typing(25), 'Poisson 8/s': poisson(8, MINUTE) },
  ),
  ...meet(
    'window 10 per minute',
    { limit: () => alignedWindow(10, MINUTE, 20_000) },
    {
      '25 rows': [rows(25), keep],
      '25 rows, default options': [rows(25), { seeds: 20 }],
      typing: [typing(20), noisy],
    },
  ),
  ...meet(
    'window 100 per minute, fields',
    { limit: () => alignedWindow(100, MINUTE, 12_000), fields: draftFields() },
    {
      '250 rows': [rows(250), keep],
      'poll and search': search,
      'screens of 25': [screens(8, 25, [3000, 8000]), keep],
    },
  ),
  ...meet(
    'counter 50 per 10 s',
    { limit: () => slidingCounter(50, 10_000) },
    { '200 rows': [rows(200), keep], 'Poisson 4/s': poisson(4, MINUTE) },
  ),
  ...meet(
    'log 5 per 3 s, fields',
    { limit: () => slidingLog(5, 3000), fields: draftFields('a') },
    {
      '20, 4 s, then 60': [burstAfterRest(20, 4000 + 12_000, 60), keep],
      '6, 4 s, then 60': [burstAfterRest(6, 4000, 60), keep],
      '6, 8 s, then 60': [burstAfterRest(6, 8000, 60), keep],
      typing: typing(20),
    },
  ),
  ...meet(
    '10 per second and 200 per minute',
    { limit: () => limits.allOf(bucket(10, 10), slidingLog(200, MINUTE)) },
    { '300 rows': [rows(300), keep], 'Poisson 5/s': [poisson(5, 2 * MINUTE), keep] },
  ),
  ...meet(
    'an hour of 1,000, X-RateLimit',
    { limit: () => alignedWindow(1000, HOUR, HOUR - 5 * MINUTE), fields: olderFields('instant') },
    {
      'Poisson 2/s for 10 min': [poisson(2, 10 * MINUTE), keep],
      '1,200 at once': [rows(1200), keep],
      '1,200 at once, default options': rows(1200),
    },
  ),
  ...meet(
    'an hour of 60, X-RateLimit in seconds, no Retry-After',
    {
      limit: () => alignedWindow(60, HOUR, HOUR - 90_000),
      fields: olderFields('seconds'),
      retryAfter: 'none',
    },
    { '80 rows': [rows(80), keep], typing: typing(30) },
  ),
]

const together4 = { limit: () => inFlight(4), retryAfter: 'none' } as const
const together10 = { limit: () => inFlight(10), retryAfter: 'none' } as const
const flight = [
  ...meet('4 in flight', together4, {
    '200 rows': [rows(200), keep],
    'Poisson 50/s': [poisson(50, 30_000), keep],
    'Poisson 50/s, default options': poisson(50, 30_000),
    typing: typing(25),
    '8 workers': [crawl(8, 300), keep],
  }),
  ...meet('10 in flight', together10, {
    '200 rows': [rows(200), keep],
    '20 workers': [crawl(20, 400), keep],
    'screens of 30, default options': screens(15, 30, [2000, 6000]),
  }),
  ...meet(
    '4 in flight, 500 ms',
    { ...together4, latencyMs: 500 },
    {
      '60 rows': [rows(60), keep],
      'Poisson 6/s': [poisson(6, MINUTE), keep],
    },
  ),
  ...meet('10 in flight, 503', { ...together10, status: 503 }, { '200 rows': [rows(200), keep] }),
  ...meet(
    '6 in flight and 30/s',
    { limit: () => limits.allOf(bucket(30, 15), inFlight(6)), latencyMs: 150 },
    { '200 rows': [rows(200), keep] },
  ),
]

const strays = [
  ...meet(
    'healthy, 1 % stray 429',
    { strays: [{ share: 0.01, status: 429 }] },
    {
      'Poisson 50/s for 10 min': [poisson(50, 10 * MINUTE), { isLong: true }],
      'Poisson 50/s': poisson(50, MINUTE),
      '200 rows': rows(200),
      typing: typing(30),
      '8 workers': crawl(8, 600),
    },
  ),
  ...meet(
    'healthy, 5 % stray 429',
    { strays: [{ share: 0.05, status: 429 }] },
    { 'Poisson 10/s': poisson(10, 2 * MINUTE), 'poll and search': [search, noisy] },
  ),
  ...meet(
    'healthy, 0.2 % stray 429 with Retry-After: 30',
    { strays: [{ share: 0.002, status: 429, retryAfter: 30 }] },
    { 'Poisson 10/s for 10 min': poisson(10, 10 * MINUTE), 'poll and search': search },
  ),
  ...meet(
    'healthy, 1 % stray 429 with Retry-After: 1',
    { strays: [{ share: 0.01, status: 429, retryAfter: 1 }] },
    { 'Poisson 30/s': poisson(30, MINUTE), '300 rows': rows(300) },
  ),
  ...meet(
    'healthy, 2 % stray 503',
    { strays: [{ share: 0.02, status: 503 }] },
    { 'Poisson 30/s': poisson(30, MINUTE), 'poll and search': search },
  ),
  ...meet(
    'healthy, 1 % stray 503 with Retry-After: 2',
    { strays: [{ share: 0.01, status: 503, retryAfter: 2 }] },
    { 'Poisson 20/s': poisson(20, MINUTE), typing: typing(25) },
  ),
  ...meet(
    'bucket 30/s burst 15, 1 % stray 503',
    { limit: () => bucket(30, 15), strays: [{ share: 0.01, status: 503 }] },
    { '300 rows': [rows(300), keep], 'Poisson 20/s': poisson(20, MINUTE) },
  ),
  ...meet(
    'bucket 50/s burst 25, no header, 1 % stray 429',
    { limit: () => bucket(50, 25), retryAfter: 'none', strays: [{ share: 0.01, status: 429 }] },
    { '500 rows': [rows(500), keep], 'Poisson 35/s': poisson(35, MINUTE) },
  ),
  ...meet(
    'healthy, 5 % stray 429 with Retry-After: 2',
    { strays: [{ share: 0.05, status: 429, retryAfter: 2 }] },
    { typing: [typing(30), noisy], '4 workers': crawl(4, 300) },
  ),
  ...meet(
    'healthy, 1 % network errors',
    { strays: [{ share: 0.01, status: 0 }] },
    { 'Poisson 30/s': poisson(30, MINUTE), '200 rows': rows(200) },
  ),
  ...meet(
    'healthy but for 10 s of 503',
    {
      limit: () => limits.outages(inFlight(Infinity), [[10_000, 20_000]]),
      status: 503,
      retryAfter: 'none',
    },
    { 'Poisson 10/s': [poisson(10, MINUTE), keep], 'poll and search': search },
  ),
  ...meet(
    'bucket 30/s burst 30 but for two outages with Retry-After',
    {
      limit: () =>
        limits.outages(bucket(30, 30), [
          [5000, 12_000],
          [30_000, 33_000],
        ]),
    },
    { 'Poisson 20/s': [poisson(20, MINUTE), keep], 'screens of 20': [screens(20, 20, [1000, 4000]), keep] },
  ),
  ...meet('healthy', {}, { '1,000 at once': rows(1000), typing: typing(25) }),
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
const changing = [
  ...meet(
    'bucket 20/s burst 10 halves and recovers',
    { limit: () => bucket(20, 10, halves) },
    {
      '500 rows': [rows(500), keep],
      'Poisson 14/s': [poisson(14, MINUTE), keep],
    },
  ),
  ...meet(
    'bucket 30/s burst 10 changes often, no header',
    { limit: () => bucket(30, 10, wanders), retryAfter: 'none' },
    { '1,000 at once': [rows(1000), keep], 'Poisson 15/s': [poisson(15, 80_000), keep] },
  ),
  ...meet(
    'log 100 per 5 s changes often',
    { limit: () => slidingLog(100, 5000, wanders) },
    {
      '1,000 at once': [rows(1000), keep],
    },
  ),
  ...meet(
    'bucket 40/s burst 20, another client at 20/s',
    { limit: (random) => limits.sharedWith(bucket(40, 20), 20, random) },
    { '300 rows': [rows(300), keep], 'Poisson 15/s': [poisson(15, MINUTE), keep], typing: typing(25) },
  ),
  ...meet(
    'bucket 30/s burst 10, 3 tabs',
    { limit: () => bucket(30, 10) },
    {
      '300 rows': [rows(300), { ...keep, tabs: 3 }],
      'Poisson 20/s': [poisson(20, MINUTE), { ...keep, tabs: 3 }],
    },
  ),
  ...meet(
    'window 100 per 10 s, no Retry-After, 2 tabs',
    { limit: () => alignedWindow(100, 10_000, 5000), retryAfter: 'none' },
    { 'screens of 30': [screens(12, 30, [2000, 5000]), { ...keep, tabs: 2 }] },
  ),
  ...meet(
    'window 100 per 10 s, another client at 8/s, no Retry-After',
    { limit: (random) => limits.sharedWith(alignedWindow(100, 10_000), 8, random), retryAfter: 'none' },
    { '200 rows': [rows(200), keep], 'poll and search': [search, noisy] },
  ),
]

const forGood = (factor: number): limits.Changes => [{ afterMs: 15_000, factor }]
const lasting = [
  ...meet(
    'bucket 5/s burst 5 rises tenfold for good',
    { limit: () => bucket(5, 5, forGood(10)) },
    { 'Poisson 12/s': [poisson(12, MINUTE), keep], '600 rows': [rows(600), keep] },
  ),
  ...meet(
    'log 20 per 4 s rises tenfold for good, no Retry-After',
    { limit: () => slidingLog(20, 4000, forGood(10)), retryAfter: 'none' },
    { '600 rows': [rows(600), keep] },
  ),
  ...meet(
    'bucket 50/s burst 50 falls to a tenth for good',
    { limit: () => bucket(50, 50, forGood(0.1)) },
    { 'Poisson 8/s': [poisson(8, MINUTE), keep], 'poll and search': [search, noisy] },
  ),
  ...meet(
    '10 in flight falls to 3 for good, 200 ms',
    { limit: () => inFlight(10, forGood(0.3)), retryAfter: 'none', latencyMs: 200 },
    { '12 workers': [crawl(12, 1000), keep], 'Poisson 12/s': [poisson(12, MINUTE), keep] },
  ),
]

const pauses = [
  ...meet(
    'refusals extend the pause',
    { limit: () => limits.pausing(bucket(10, 20), 5000, true) },
    { '100 rows': [rows(100), keep], 'Poisson 8/s': [poisson(8, MINUTE), keep], typing: typing(25) },
  ),
  ...meet(
    'refusals extend the pause, no Retry-After',
    { limit: () => limits.pausing(bucket(10, 20), 3000, true), retryAfter: 'none' },
    { '100 rows': [rows(100), keep], 'Poisson 8/s': [poisson(8, MINUTE), keep] },
  ),
  ...meet(
    'fields that name twice the limit',
    {
      limit: () => slidingLog(50, 5000),
      fields: (limit, at) => draftFields()({ ...limit, quota: () => 100, remaining: () => 50 }, at),
    },
    { '200 rows': [rows(200), keep], 'Poisson 8/s': [poisson(8, MINUTE), keep] },
  ),
  ...meet(
    'a policy alone, no Retry-After',
    {
      limit: () => alignedWindow(30, 3000, 1000),
      fields: () => ({ 'ratelimit-policy': '"all";q=30;w=3' }),
      retryAfter: 'none',
    },
    { '200 rows': [rows(200), keep], 'screens of 20': [screens(12, 20, [1000, 4000]), keep] },
  ),
  ...meet(
    'a refusal closes for 10 s',
    { limit: () => limits.pausing(slidingLog(60, 10_000), 10_000, false) },
    { '200 rows': [rows(200), keep], 'poll and search': search, '10 workers': [crawl(10, 200), keep] },
  ),
  ...meet(
    'Retry-After too short',
    { limit: () => slidingLog(50, 20_000), retryAfter: () => 1 },
    { '150 rows': [rows(150), keep], 'Poisson 3/s': [poisson(3, MINUTE), keep] },
  ),
  ...meet(
    'Retry-After: 0',
    { limit: () => bucket(10, 10), retryAfter: () => 0 },
    { '100 rows': [rows(100), keep] },
  ),
  ...meet(
    'Retry-After too long',
    { limit: () => bucket(20, 10), retryAfter: () => 20 },
    { '200 rows': [rows(200), keep], 'Poisson 12/s': [poisson(12, 2 * MINUTE), keep], typing: typing(25) },
  ),
  ...meet(
    'Retry-After: 60 in a window of a minute',
    { limit: () => alignedWindow(100, MINUTE), retryAfter: () => 60 },
    { 'Poisson 2.5/s, default options': poisson(2.5, 3 * MINUTE), '150 rows, default options': rows(150) },
  ),
  ...meet(
    'Retry-After as a date',
    { limit: () => alignedWindow(60, 15_000, 4000), retryAfter: 'date' },
    { '200 rows': [rows(200), keep], typing: typing(20) },
  ),
  ...meet(
    'Retry-After in one refusal of three',
    {
      limit: () => bucket(20, 10),
      // Tokens that are missing are as good as random.
      retryAfter: (waitMs) => (waitMs % 3 < 1 ? Math.ceil(waitMs / 1000) : undefined),
    },
    { '200 rows': [rows(200), keep], 'Poisson 25/s': [poisson(25, 20_000), keep] },
  ),
]

const routes = [
  ...meet(
    'only /search is limited, 2/s',
    { routes: { '/search/': () => bucket(2, 4) } },
    {
      'rows and typing': [together(poisson(20, MINUTE), typing(25)), keep],
      'rows and typing, default options': together(poisson(20, MINUTE), typing(25)),
      'poll and search': [search, noisy],
      '100 searches among 400 rows': [together(rows(400), rows(100, '/search/')), keep],
    },
  ),
  ...meet(
    'only /search is limited, 2/s, no Retry-After',
    { routes: { '/search/': () => bucket(2, 4) }, retryAfter: 'none' },
    {
      'rows and typing': [together(poisson(20, MINUTE), typing(25)), keep],
      'poll and search': [search, noisy],
    },
  ),
  ...meet(
    'two routes, 5/s and 50/s',
    {
      routes: { '/search/': () => bucket(5, 5), '/rows/': () => bucket(50, 20) },
      limit: () => bucket(200, 100),
    },
    {
      '60 searches and 400 rows': [together(rows(60, '/search/'), rows(400)), keep],
      'a mix': [
        together(poisson(3, MINUTE, '/search/'), poisson(20, MINUTE, '/rows/'), poisson(10, MINUTE)),
        keep,
      ],
    },
  ),
  ...meet(
    'slow reports of 10-60 s',
    { limit: () => bucket(20, 20), slow: { '/reports/': [10_000, 60_000] } },
    {
      'reports and a poll': together(rows(12, '/reports/'), poll(500, MINUTE)),
      'reports after 100 rows': [together(rows(100), after(2000, rows(10, '/reports/'))), keep],
    },
  ),
  ...meet(
    'slow reports, no limit',
    { slow: { '/reports/': [10_000, 60_000] }, strays: [{ share: 0.01, status: 429, retryAfter: 2 }] },
    { 'reports and rows': together(poisson(0.5, 2 * MINUTE, '/reports/'), poisson(10, 2 * MINUTE)) },
  ),
  ...meet(
    'silent /hung',
    { silent: { '/hung/': 1 } },
    {
      '8 hung and rows': together(rows(8, '/hung/', 120_000), after(100, poisson(10, 40_000))),
    },
  ),
  ...meet(
    'silent /hung, bucket 20/s burst 10',
    { limit: () => bucket(20, 10), silent: { '/hung/': 1 } },
    {
      'hung and Poisson 12/s': [together(poisson(12, MINUTE), poisson(0.4, MINUTE, '/hung/', 90_000)), keep],
      'hung and 200 rows': [together(rows(10, '/hung/', 90_000), rows(200)), keep],
    },
  ),
  ...meet(
    '1 % silent, 1 % stray 429',
    { silent: { '/': 0.01 }, strays: [{ share: 0.01, status: 429, retryAfter: 1 }] },
    { 'Poisson 20/s, 30 s of patience': poisson(20, 2 * MINUTE, '/items/', 30_000) },
  ),
]

const rests = [
  ...meet(
    'bucket 10/s burst 30',
    { limit: () => bucket(10, 30) },
    {
      '60, 30 s, 60, …': [burstAfterRest(60, 30_000, 60, 4), keep],
      '60, 5 min, 60, …': [burstAfterRest(60, 5 * MINUTE, 60, 3), keep],
      'screens of 20': [screens(20, 20, [1500, 5000]), keep],
    },
  ),
  ...meet(
    'window 500 per 5 s, no Retry-After',
    { limit: () => alignedWindow(500, 5000, 1000), retryAfter: 'none' },
    { '600, 20 s, 600, …': [burstAfterRest(600, 20_000, 600, 2), keep] },
  ),
  ...meet(
    'log 100 per 10 s, after rests',
    { limit: () => slidingLog(100, 10_000) },
    {
      '150, 30 s, 150, …': [burstAfterRest(150, 30_000, 150, 3), keep],
      '150, 2 min, 90, …': [burstAfterRest(150, 2 * MINUTE, 90, 3), keep],
    },
  ),
  ...meet(
    'window 40 per 10 s, no Retry-After',
    { limit: () => alignedWindow(40, 10_000, 3000), retryAfter: 'none' },
    {
      '60, 20 s, 60, …': [burstAfterRest(60, 20_000, 60, 4), keep],
      'screens of 12': [screens(20, 12, [2000, 5000]), keep],
    },
  ),
  ...meet(
    'bucket 15/s burst 15',
    { limit: () => bucket(15, 15) },
    {
      'all of it': [
        together(typing(20), poll(1000, MINUTE), screens(8, 20, [4000, 9000]), after(20_000, rows(100))),
        keep,
      ],
      '150 rows, 4 at once': [rows(150), { settings: { ...patient, concurrency: 4 } }],
    },
  ),
]

export const pairings: readonly Pairing[] = [
  ...buckets,
  ...windows,
  ...flight,
  ...strays,
  ...changing,
  ...lasting,
  ...pauses,
  ...routes,
  ...rests,
]
