import fc from 'fast-check'
import { readRateLimit, retryAfterMs, type RateLimitReading } from 'lull/fetch'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forAll } from '../../laws/tries.ts'
import { run, start, play } from '../fixtures/start.ts'

const NOW = Date.UTC(2026, 7, 22, 12)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }))

type Fields = Readonly<Record<string, string>>
/** Headers as a record, or as a list, as a name may occur twice. */
type Lines = Fields | readonly (readonly [string, string])[]

function headersOf(lines: Lines): Headers {
  const headers = new Headers()
  const all = Array.isArray(lines) ? (lines as [string, string][]) : Object.entries(lines as Fields)
  for (const [name, value] of all) headers.append(name, value)
  return headers
}
const responseOf = (lines: Lines): Response => new Response(null, { status: 429, headers: headersOf(lines) })

const wait = (lines: Lines): number | undefined => retryAfterMs(responseOf(lines))
const read = (lines: Lines, strict?: boolean) => readRateLimit(headersOf(lines), { now: NOW, strict })
const limit = (value: string, strict?: boolean) => read({ RateLimit: value }, strict)

/** The delay of a refused call and its source, from the rate-limited fetch. */
async function refused(lines: Lines): Promise<[waitMs: number | undefined, source: string | undefined]> {
  const started = start({ maxRetries: 0, backoff: () => 0 }, [responseOf(lines)])
  started.clock.setWall(NOW - 10)
  await play(started, '/ +10')
  const response = started.events.find((event) => event.type === 'response')!
  const throttled = started.events.find((event) => event.type === 'throttled')!
  return [response.retryAfterMs, throttled.source]
}

const textOf = (name: string, count: number | undefined, windowMs: number | undefined, unit: string) =>
  `${name} ${count ?? '?'}/${windowMs ?? '?'}${unit === 'requests' ? '' : ` ${unit}`}`
const limitsOf = ({ limits }: RateLimitReading): string =>
  limits.map(({ name, available, windowMs, unit }) => textOf(name, available, windowMs, unit)).join(', ')
const policiesOf = ({ policies }: RateLimitReading): string =>
  policies.map(({ name, quota, windowMs, unit }) => textOf(name, quota, windowMs, unit)).join(', ')

/** The values between bars and line ends. */
const listOf = (text: string): string[] => text.trim().split(/ \| |\n */)

interface Row {
  lines: Lines
  /** The delay of a refused call; undefined: no wait in the fields. */
  waitMs?: number | undefined
  source?: string
  /** The remaining amounts: `name available/windowMs`, with `?` for a missing member. */
  limits?: string
  /** The same for policies: `name quota/windowMs`. */
  policies?: string
  /** Whether the newest draft and RFC 9110 alone yield the same. @default true */
  isStrict?: boolean
}

/** A `RateLimit` value and its reading. */
const field = (value: string, limits: string, waitMs?: number): Row => ({
  lines: { RateLimit: value },
  ...(limits && { source: waitMs === undefined ? 'backoff' : 'ratelimit' }),
  limits,
  waitMs,
})
/** The Dictionary of draft 07, unknown to the newest. */
const dictionary = (value: string, limits: string, waitMs?: number, policies = ''): Row => ({
  ...field(value, limits, waitMs),
  source: waitMs === undefined ? 'backoff' : 'ratelimit-legacy',
  policies,
  isStrict: false,
})
/** An older field, unknown to the newest draft. */
const legacy = (name: string, value: string, waitMs?: number): Row => ({
  lines: { [name]: value },
  ...(waitMs !== undefined && {
    limits: `default ?/${waitMs}`,
    source: name.startsWith('X') ? 'x-ratelimit' : 'ratelimit-legacy',
  }),
  waitMs,
  isStrict: waitMs === undefined,
})
const row = (lines: Lines, source: string, waitMs?: number, more?: Partial<Row>): Row => {
  return { lines, source, waitMs, ...more }
}

/** Values of a reset, whose unit follows from its size, and the wait. */
const resets: (readonly [value: string, waitMs?: number])[] = [
  ...listOf(`50 | 1787400050 | 1787400050000 | 2026-08-22T12:00:50Z | Sat, 22 Aug 2026 12:00:50 GMT
    2026-08-22t12:00:50z | 2026-08-22 12:00:50Z | 2026-08-22T12:00:50+00:00 | 2026-08-22T12:00:50-00:00
    2026-08-22T17:30:50+05:30 | 2026-08-22T08:00:50-04:00 | 2026-08-23T00:00:50+12:00
    2026-08-23T11:00:50+23:00`).map((value) => [value, 50_000] as const),
  ...listOf(`0 | 1000000000 | 1700000000 | 1787400000 | 100000000000 | 2020-01-01T00:00:00Z
    0000-01-01T00:00:00Z`).map((value) => [value, 0] as const),
  ['0.0001', 1],
  ['00000000000000000005', 5000],
  ['999999999', 999_999_999_000],
  ['999999999.9', 999_999_999_900],
  ['1787400001', 1000],
  ['1787400050.5', 50_500],
  ['2200000000', 412_600_000_000],
  ['99999999999', 98_212_599_999_000],
  ['1787400000001', 1],
  ['1787400000000.5', 1],
  ['99999999999000', 98_212_599_999_000],
  ['2026-08-22T12:00:50.5Z', 50_500],
  ['2026-08-22T12:00:50.125Z', 50_125],
  ['2028-02-29T00:00:00Z', 47_995_200_000],
  ['9999-12-31T23:59:59Z', 251_614_900_799_000],
  ...listOf(`abc | 1. | .5 | +5 | 5s | 5, 6 | 1e9 | 100000000000000 | ${'9'.repeat(400)}
    2026-08-22T12:00:50 | 2026-08-22 | 2026-08-22T12:00Z | 2026-08-22T12:00:50+0530
    2026-08-22T12:00:50+24:00 | 2026-08-22T12:00:50+05:60 | 2026-08-22T12:00:50.Z | 2026-8-22T12:00:50Z
    2026-00-22T12:00:50Z | 2026-13-22T12:00:50Z | 2026-08-00T12:00:50Z | 2026-08-32T12:00:50Z
    2027-02-29T00:00:00Z | 2027-04-31T12:00:00+02:00 | 2026-08-22T24:00:00Z | 2026-08-22T12:60:00Z
    2026-08-22T12:00:61Z | +002026-08-22T12:00:50Z | x2026-08-22T12:00:50Z | 2026-08-22T12:00:50Zx`).map(
    (value) => [value] as const,
  ),
]

const rows: Row[] = [
  field('"default";r=50;t=30', 'default 50/30000'),
  field('"default";r=0;t=30', 'default 0/30000', 30_000),
  field('"burst";r=0;t=5, "daily";r=100;t=36000', 'burst 0/5000, daily 100/36000000', 5000),
  field('"burst";r=0;t=5, "daily";r=0;t=36000', 'burst 0/5000, daily 0/36000000', 36_000_000),
  field('"daily";r=0;t=36000, "burst";r=0;t=5', 'daily 0/36000000, burst 0/5000', 36_000_000),
  field('default;r=0;t=30', 'default 0/30000', 30_000),
  field('"default"; r=0;  t=30', 'default 0/30000', 30_000),
  field('"d";r=-0;t=30', 'd 0/30000', 30_000),
  field('"default";r=0', 'default 0/?'),
  field('"default";r=5;t=30;r=0', 'default 0/30000', 30_000),
  field('"default";r=0;t=30;acme-x=?1;foo=bar', 'default 0/30000', 30_000),
  field('"default";r=999999999999999;t=30', 'default 999999999999999/30000'),
  field('"default";r=0;t=999999999999999', 'default 0/999999999999999000', 999_999_999_999_999_000),
  field('"default";r=0;t=30;pk=:cHsdsRa894==:', 'default 0/30000', 30_000),
  field('"a";r=0;t=5, "a";r=9;t=60', 'a 0/60000', 60_000),
  field(String.raw`"a\"b\\c 9%";r=0;t=3`, String.raw`a"b\c 9% 0/3000`, 3000),
  field('"d";r=0;t=0', 'd 0/0', 0),
  field('"d";r=0;t=030', 'd 0/30000', 30_000),
  field('"a";r=0, "b";r=0;t=3', 'a 0/?, b 0/3000', 3000),
  // The future names, with or without a cost.
  ...['"default";a=0;w=30', 'default;a=0;w=30;c=5'].map((value) => ({
    ...field(value, 'default 0/30000', 30_000),
    isStrict: false,
  })),
  // Malformed: a List, its names, or a required member.
  ...listOf(`"default" ;r=0;t=30 | "default";r=0;t=30, | "default";R=0;T=30 | "default";r=0;t=-1 | "default";r=-1;t=30
    "default";r=0;t=1.5 | "d";r=0;t=30.0 | "default";r=0;t="30" | "default";r="0";t=30 | "default";t=30 | "default";r;t=30
    "default";r=1000000000000000;t=30 | "default";r=0;t=30;pk="abc" | ("a" "b");r=0;t=30 | 42;r=0;t=30 | "d";r=0;t=+30
    "é";r=0;t=30 | "d";r=0;t=30, "e";; | limit=100, remaining=0 | remaining=0, reset=-5 | remaining=0, reset=:NQ==
    remaining=0, reset | remaining=0, reset=5, | Remaining=0, reset=5`).map((value) => field(value, '')),
  field('', ''),
  dictionary('limit=100, remaining=0, reset=5', 'default 0/5000', 5000, 'default 100/?'),
  dictionary('limit=100,remaining=0,reset=5', 'default 0/5000', 5000, 'default 100/?'),
  dictionary('reset=5', 'default ?/5000', 5000),
  dictionary('remaining=3;x=1, reset=5, x="a"', 'default 3/5000'),
  dictionary('remaining=-1, reset=5', 'default ?/5000', 5000),
  dictionary('reset=5, reset=6', 'default ?/6000', 6000),
  dictionary('remaining=0, reset=5.5', 'default 0/5500', 5500),
  dictionary('remaining=0, reset="5"', 'default 0/5000', 5000),
  {
    ...field('', 'a 5/10000, b 0/3000', 3000),
    lines: ['"a";r=5;t=10', '"b";r=0;t=3'].map((value) => ['RateLimit', value] as const),
  },
  // From a cache.
  { lines: { RateLimit: '"d";r=0;t=30', Age: '100' } },
  {
    lines: { 'RateLimit-Policy': '"burst";q=100;w=60,"daily";q=1000;w=86400' },
    policies: 'burst 100/60000, daily 1000/86400000',
  },
  {
    lines: { 'RateLimit-Policy': '"bytes";q=65535;qu="content-bytes";w=10', RateLimit: '"bytes";r=5;t=10' },
    limits: 'bytes 5/10000 content-bytes',
    policies: 'bytes 65535/10000 content-bytes',
  },
  row({ RateLimit: '"a";r=0;t=5', 'RateLimit-Policy': '"a";q=9;w=60' }, 'ratelimit', 5000, {
    limits: 'a 0/5000',
    policies: 'a 9/60000',
  }),
  row({ RateLimit: '"a";r=0;t=0', 'X-RateLimit-Reset': '9' }, 'ratelimit', 0, { limits: 'a 0/0' }),
  { lines: { 'RateLimit-Policy': '100;w=60' } },
  { lines: { 'RateLimit-Policy': '"x";q=10;w=0' } },
  legacy('RateLimit-Reset', '50', 50_000),
  legacy('RateLimit-Reset', '1787400050', 50_000),
  legacy('RateLimit-Reset', '-1'),
  ...resets.map(([value, waitMs]) => legacy('X-RateLimit-Reset', value, waitMs)),
  row({ 'Retry-After': '20', RateLimit: '"dynamic";r=15;t=40' }, 'retry-after:delay', 20_000, {
    limits: 'dynamic 15/40000',
  }),
  row({ 'Retry-After': '5', RateLimit: '"d";r=0;t=30' }, 'retry-after:delay', 5000, { limits: 'd 0/30000' }),
  row({ 'Retry-After': 'abc', 'RateLimit-Reset': '30' }, 'ratelimit-legacy', 30_000, {
    limits: 'default ?/30000',
    isStrict: false,
  }),
  row({ 'Retry-After': 'Sat, 22 Aug 2026 12:00:50 GMT' }, 'retry-after:date', 50_000),
  { lines: {} },
  { lines: { 'Content-Type': 'text/plain', Date: 'Sat, 22 Aug 2026 12:00:00 GMT' } },
  ...['Retry-After', 'Retry-After-Ms', 'X-Ms-Retry-After-Ms'].map((name) => ({ lines: { [name]: 'soon' } })),
]

describe.each(['UTC', 'America/New_York', 'Asia/Kolkata'])('in the time zone %s', (zone) => {
  it.each(rows)(
    '$lines',
    async ({ lines, waitMs, source = 'backoff', limits = '', policies = '', isStrict }) => {
      vi.stubEnv('TZ', zone)
      expect([waitMs, wait(lines)]).toEqual([waitMs, waitMs])
      expect(await refused(lines)).toEqual([waitMs, source])
      expect([limitsOf(read(lines)), policiesOf(read(lines))]).toEqual([limits, policies])
      const strict = read(lines, true)
      if (isStrict === false) expect([strict.limits, strict.waitMs]).toEqual([[], undefined])
      else expect([limitsOf(strict), strict.waitMs]).toEqual([limits, read(lines).waitMs])
    },
  )
})

describe('a number of milliseconds', () => {
  const names = ['retry-after-ms', 'x-ms-retry-after-ms']

  it.each(names)('is read from %s, rounded up, and ends where a number of seconds does', async (name) => {
    const rest = { '0': 0, '1500': 1500, '0.1': 1, '1500.25': 1501, '007': 7, '12.000': 12, '0.0001': 1 }
    const most = { ['9'.repeat(20)]: 2_147_483_648_000, ['9'.repeat(400)]: 2_147_483_648_000 }
    for (const [value, waitMs] of Object.entries({ ...rest, ...most })) {
      expect(wait({ [name]: value })).toBe(waitMs)
      expect(await refused({ [name]: value })).toEqual([waitMs, 'retry-after-ms'])
    }
  })

  it.each([
    { ms: '1500', seconds: '2', waitMs: 1500, why: 'is the finer one' },
    { ms: '1000', seconds: '2', waitMs: 1000, why: 'may be less by a second' },
    { ms: '999', seconds: '2', waitMs: 2000, why: 'is dropped if it is less by more' },
    { ms: '60000', seconds: '2', waitMs: 60_000, why: 'counts if it is more, however much' },
    { ms: '0', seconds: '1', waitMs: 0, why: 'may be 0' },
    { ms: '100', seconds: 'Sat, 22 Aug 2026 12:00:30 GMT', waitMs: 30_000, why: 'is compared with a date' },
    { ms: '29500', seconds: 'Sat, 22 Aug 2026 12:00:30 GMT', waitMs: 29_500, why: 'is finer than a date' },
    { ms: 'abc', seconds: '2', waitMs: 2000, why: 'is passed over if it is malformed' },
    { ms: '100', seconds: 'abc', waitMs: 100, why: 'stands alone if Retry-After is malformed' },
  ])('$why: $ms beside $seconds', ({ ms, seconds, waitMs }) => {
    for (const name of names) expect(wait({ [name]: ms, 'Retry-After': seconds })).toBe(waitMs)
  })

  it('is read from the other header if one is malformed', () => {
    expect(wait({ 'retry-after-ms': '', 'x-ms-retry-after-ms': '2500' })).toBe(2500)
  })
})

describe('several fields with a wait', () => {
  const all: Fields = {
    'retry-after-ms': '1900',
    'Retry-After': '2',
    RateLimit: '"a";r=0;t=3',
    'RateLimit-Reset': '4',
    'X-RateLimit-Reset': '5',
    'X-Rate-Limit-Reset': '6',
  }
  const names = Object.keys(all)
  const line = (name: string): [string, string] => [name, all[name]!]

  it.each([
    [1900, 'retry-after-ms', 0],
    [2000, 'retry-after:delay', 1],
    [3000, 'ratelimit', 2],
    [4000, 'ratelimit-legacy', 3],
    [5000, 'x-ratelimit', 4],
    [6000, 'x-ratelimit', 5],
  ])('%i of %s is the first without %i of them', async (waitMs, source, without) => {
    const rest = names.slice(without)
    expect(await refused(rest.map(line))).toEqual([waitMs, source])
    // The order of the lines does not matter.
    expect(await refused(rest.toReversed().map(line))).toEqual([waitMs, source])
    // A malformed field counts as absent.
    const malformed = names.slice(0, without).map((name): [string, string] => [name, 'abc;;'])
    expect(wait([...malformed, ...rest.map(line)])).toBe(waitMs)
  })

  it('a field without a wait leaves the choice to the next', async () => {
    const fourth: Fields = { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '4' }
    expect(await refused({ ...fourth, RateLimit: '"a";r=0' })).toEqual([4000, 'ratelimit-legacy'])
    expect(await refused({ ...fourth, RateLimit: '"a";r=-1;t=9' })).toEqual([4000, 'ratelimit-legacy'])
    expect(await refused({ ...fourth, RateLimit: '"a";r=3;t=9' })).toEqual([undefined, 'backoff'])
    expect(policiesOf(read({ ...fourth, 'RateLimit-Policy': '"a";q=9' }))).toBe('a 9/?')
  })
})

it.each([
  ['hidden', {}, 'none'],
  ['malformed', { 'Retry-After': 'soon' }, 'backoff'],
])('for another origin, %s fields %o have the source %s', async (_, lines, source) => {
  const answer = Object.defineProperty(responseOf(lines as Fields), 'type', { value: 'cors' })
  const { events } = await run({ calls: '/', answers: [answer] })
  expect(events.find(({ type }) => type === 'throttled')).toMatchObject({ source })
})

describe('a member', () => {
  it('has either spelling, or both, of which the stricter counts; one, if strict', () => {
    for (const params of listOf(
      'r=3;t=5 | a=3;w=5 | r=3;w=5 | a=3;t=5 | r=3;a=4;t=5 | r=4;a=3;w=5 | r=3;t=4;w=5 | a=3;t=5;w=4',
    ))
      expect(limitsOf(limit(`"a";${params}`))).toBe('a 3/5000')
    expect(limitsOf(limit('"a";r=3;t=5, "b";r=3;w=5, "c";a=3;t=5, "d";r=3;a=1;t=5;w=9', true))).toBe(
      'a 3/5000, b 3/?, d 3/5000',
    )
  })

  it('belongs to the policy with exactly the same name', () => {
    const lines = { 'RateLimit-Policy': 'x;q=9;qu="content-bytes", "Y";q=9;qu="content-bytes"' }
    expect(limitsOf(read({ ...lines, RateLimit: '"x";r=1, y;r=1' }))).toBe('x 1/? content-bytes, y 1/?')
  })

  it.each([
    ['requests', 'requests', 5000],
    ['request', 'requests', 5000],
    ['content-bytes', 'content-bytes', 5000],
    ['tokens', 'tokens', 5000],
    ['concurrent-requests', 'concurrent-requests', undefined],
  ])('with a unit of %s is read as %s: a wait of %s', (unit, asRead, waitMs) => {
    const reading = read({ 'RateLimit-Policy': `"a";q=9;qu="${unit}"`, RateLimit: '"a";r=0;t=5' })
    const units = [{ unit: asRead }]
    expect([reading.waitMs, reading.limits, reading.policies]).toMatchObject([waitMs, units, units])
  })

  it('has an unknown unit if its unit is no String', () => {
    const reading = read({ 'RateLimit-Policy': 'a;q=9;qu=tokens, b;q=9;qu=5, c;q=9;qu' })
    expect(policiesOf(reading)).toBe('a 9/? tokens, b 9/? 5, c 9/? ?1')
  })
})

it('a cached response carries no limits', () => {
  const lines = { RateLimit: '"a";r=0;t=5', 'RateLimit-Policy': '"a";q=1', 'X-RateLimit-Reset': '9' }
  for (const age of ['1', '100', '100, 0', '007']) {
    const nothing = { source: undefined, limits: [], policies: [], waitMs: undefined }
    expect(read({ ...lines, Age: age })).toEqual(nothing)
    expect(read({ 'X-RateLimit-Reset': '9', Age: age }).source).toBeUndefined()
  }
  for (const age of ['0', '', 'abc', '-1']) expect(read({ ...lines, Age: age }).waitMs).toBe(5000)
})

describe('the older fields', () => {
  it.each([
    ['RateLimit-', 'ratelimit-legacy'],
    ['X-RateLimit-', 'x-ratelimit'],
    ['X-Rate-Limit-', 'x-ratelimit'],
  ])('with the prefix %s yield the remaining amount, until an instant or for seconds', (prefix, source) => {
    const left = (remaining: string) => {
      const reading = read({ [`${prefix}Remaining`]: remaining, [`${prefix}Reset`]: '5' })
      expect(reading.source).toBe(source)
      return [limitsOf(reading), reading.waitMs]
    }
    expect(left('0')).toEqual(['default 0/5000', 5000])
    expect(left('3')).toEqual(['default 3/5000', undefined])
    for (const malformed of ['', 'x', '-1', '1, 2', '1e3', '9'.repeat(400)])
      expect(left(malformed)).toEqual(['default ?/5000', 5000])
    expect(read({ [`${prefix}Remaining`]: '0', [`${prefix}Limit`]: '9' })).toMatchObject({ limits: [] })
    expect(read({ [`${prefix}Reset-After`]: '1.2345' })).toMatchObject({ source, waitMs: 1235 })
    expect(read({ [`${prefix}Reset-After`]: '9', [`${prefix}Reset`]: '5' }).waitMs).toBe(5000)
    expect(read({ [`${prefix}Reset-After`]: '9', [`${prefix}Reset`]: 'x' }).waitMs).toBe(9000)
    const instant = { Date: new Date(NOW).toUTCString(), [`${prefix}Reset`]: String(NOW / 1000 + 1.4) }
    expect(read({ ...instant, [`${prefix}Reset-After`]: '0.5' }).waitMs).toBe(500)
    for (const name of ['Retry-After', 'Retry-After-Seconds'])
      expect(read({ [`${prefix}Reset`]: '9', [`${prefix}${name}`]: '5' }).waitMs).toBe(5000)
  })

  it('replace a limit of RateLimit that names no time', () => {
    const reading = read({ RateLimit: '"a";r=1', 'X-RateLimit-Reset': '9' })
    expect([limitsOf(reading), reading.source]).toEqual(['default ?/9000', 'x-ratelimit'])
  })

  const reset = (value: string, more: Fields = {}) => read({ 'X-RateLimit-Reset': value, ...more }).waitMs

  it("compares instants with the server's Date, if any, but not numbers of seconds", () => {
    const Date = 'Sat, 22 Aug 2026 12:10:00 GMT'
    for (const value of listOf(
      '1787400650 | 1787400650000 | 2026-08-22T12:10:50Z | Sat, 22 Aug 2026 12:10:50 GMT',
    ))
      expect([reset(value, { Date }), reset(value, { Date: 'soon' })]).toEqual([50_000, 650_000])
    expect(reset('50', { Date })).toBe(50_000)
    // Without a date, by the wall clock.
    expect(readRateLimit(new Headers({ 'X-RateLimit-Reset': '1787400650' })).waitMs).toBe(650_000)
  })
})

describe('a hostile server', () => {
  it('has fields longer than 8 KiB ignored', () => {
    const padded = (value: string) => value + '1'.padStart(8193 - value.length, '0')
    for (const value of ['"a";r=0;t=', '"a";r=0;t=1;x=']) expect(limit(padded(value)).source).toBeUndefined()
    for (const name of ['RateLimit-Reset', 'X-RateLimit-Reset'])
      expect(read({ [name]: padded('') }).source).toBeUndefined()
    const commented = (length: number) => `"a";r=0;t=1;x="${'x'.repeat(length - 16)}"`
    expect(read({ RateLimit: commented(8192) }).waitMs).toBe(1000)
    expect(read({ RateLimit: commented(8193) }).waitMs).toBeUndefined()
    expect(read({ 'RateLimit-Reset': '5'.padStart(8192, '0') }).waitMs).toBe(5000)
  })

  it('has only 8 limits and 8 policies kept, with the longest wait of all', () => {
    const members = (params: string) =>
      Array.from({ length: 12 }, (_, index) => `"n${index}";${params}`).join(',')
    const limits = `${members('r=0;t=5')}, "last";r=0;t=9`
    const reading = read({ RateLimit: limits, 'RateLimit-Policy': members('q=1;w=1') })
    expect([reading.limits.length, reading.policies.length, reading.waitMs]).toEqual([8, 8, 9000])
    expect(reading.limits[7]!.name).toBe('n7')
  })

  it('has only 64 characters of a name and a unit kept', () => {
    const long = 'x'.repeat(65)
    const policy = `"${long}y";q=1;qu="${long}"`
    const reading = read({ RateLimit: `"${long}";r=0;t=5`, 'RateLimit-Policy': policy })
    const kept = [{ name: 'x'.repeat(64), unit: 'x'.repeat(64) }]
    expect([reading.limits, reading.policies]).toMatchObject([kept, kept])
  })

  it('never causes a wait that is not a finite number from 0, or an exception', () => {
    const numbers = ['0', '5', '-1', '1787400050', '1787400050000', '1e3', '1.5', 'abc', '', '9'.repeat(400)]
    const dates = ['Sat, 22 Aug 2026 12:00:50 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', '2026-08-22T12:00:50Z']
    const lists = listOf(`"a";r=0;t=5 | "a";r=5;t=5 | "a";q=1;w=1;qu="x" | remaining=0, reset=5
      a;a=0;w=3;c=1, "b";r=0;t=9`)
    const anyOf = (unit: string, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...Array.from(unit)), maxLength })
    const value = fc.oneof(
      fc.constantFrom(...numbers, ...dates, ...lists),
      anyOf('"a;=rtqw0159-., :()?@%', 16),
      anyOf('0123456789-+:.TZ ', 26),
    )
    const names = listOf(
      'ratelimit-remaining | x-ratelimit-remaining | x-ratelimit-reset-after | x-rate-limit-reset',
    )
    names.push(...new Set(rows.flatMap(({ lines }) => [...headersOf(lines).keys()])))
    const anyLines = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })
    let all = 0
    let waits = 0
    forAll(20_000, anyLines, fc.boolean(), (lines, strict) => {
      const reading = read(lines, strict)
      const numbers = [wait(lines), reading.waitMs]
      all++
      if (numbers[0] !== undefined) waits++
      for (const { available, windowMs } of reading.limits) numbers.push(available, windowMs)
      for (const { quota, windowMs } of reading.policies) numbers.push(quota, windowMs)
      for (const number of numbers)
        if (number !== undefined) expect(Number.isFinite(number) && number >= 0).toBe(true)
      expect(reading.source === undefined).toBe(reading.limits.length + reading.policies.length === 0)
    })
    expect(waits / all).toBeGreaterThan(0.125)
  })
})
