import fc from 'fast-check'
import type { WaitSource } from 'lull/fetch'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RateLimitReading } from '../../../src/fetch/headers/rate-limit-fields.ts'
import { readRateLimit, readWait } from '../../../src/fetch/headers/read-wait.ts'
import { parseRetryAfter } from '../../../src/fetch/headers/retry-after.ts'
import { rateLimitTable } from './rate-limit-table.ts'
import { retryAfterTable, tableNow } from './retry-after-table.ts'
import { tries } from '../../laws/tries.ts'

type Fields = Readonly<Record<string, string>>
/** Or a list, for a name may come twice. */
type Lines = Fields | readonly (readonly [string, string])[]

const isList = (lines: Lines): lines is readonly (readonly [string, string])[] => Array.isArray(lines)
function headersOf(lines: Lines): Headers {
  const headers = new Headers()
  for (const [name, value] of isList(lines) ? lines : Object.entries(lines)) headers.append(name, value)
  return headers
}
function wait(lines: Lines): { waitMs: number | undefined; source: WaitSource } {
  const { waitMs, source = 'none' } = readWait(headersOf(lines), tableNow)
  return { waitMs, source }
}
/** What is to be waited for by the standards alone. */
const strictWait = (lines: Lines): number | undefined =>
  parseRetryAfter(headersOf(lines).get('retry-after'), { now: tableNow, strict: true }) ??
  read(lines, true).waitMs
const read = (lines: Lines, strict?: boolean) => readRateLimit(headersOf(lines), { now: tableNow, strict })
const limit = (value: string, strict?: boolean) => read({ RateLimit: value }, strict)

/** The values that stand between bars and line ends. */
const listOf = (text: string): string[] => text.split(/ \| |\n/).flatMap((value) => value.trim() || [])

const unitOf = (unit: string) => (unit === 'requests' ? '' : ` ${unit}`)
const limitsOf = ({ limits }: RateLimitReading): string =>
  limits
    .map(
      ({ name, available = '?', windowMs = '?', unit }) =>
        `${name} ${String(available)}/${String(windowMs)}${unitOf(unit)}`,
    )
    .join(', ')
const policiesOf = ({ policies }: RateLimitReading): string =>
  policies
    .map(
      ({ name, quota, windowMs = '?', unit }) =>
        `${name} ${String(quota)}/${String(windowMs)}${unitOf(unit)}`,
    )
    .join(', ')

const zones = [
  { zone: 'UTC', minutesBehindUtc: 0 },
  { zone: 'America/New_York', minutesBehindUtc: 240 },
  { zone: 'Asia/Kolkata', minutesBehindUtc: -330 },
]

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('table C has', () => {
  it('each of its rows', () => {
    const rows = rateLimitTable.map(({ row }) => Number(/\d+/.exec(row)![0]))
    expect([...new Set(rows)]).toEqual(Array.from({ length: 61 }, (_, index) => index + 1))
  })
})

describe.each(zones)('in $zone', ({ zone, minutesBehindUtc }) => {
  const enter = (): void => {
    vi.stubEnv('TZ', zone)
    expect(new Date(tableNow).getTimezoneOffset()).toBe(minutesBehindUtc)
  }

  it.each(rateLimitTable)('row $row: $shows', ({ lines, strict, recommended, source, limits, policies }) => {
    enter()
    const answer = wait(lines)
    expect(answer).toMatchObject({ waitMs: recommended, source })
    expect([limitsOf(read(lines)), policiesOf(read(lines))]).toEqual([limits, policies])
    expect(strictWait(lines)).toBe(strict)
  })

  it.each(retryAfterTable)('row A$row: $shows', ({ value, date, strict, recommended }) => {
    enter()
    const lines = { 'Retry-After': value, ...(date && { Date: date }) }
    const kind = /[a-z]/i.test(value) ? 'date' : 'delay'
    const sourceOf = (ms: number | undefined): WaitSource =>
      ms === undefined ? 'backoff' : `retry-after:${kind}`
    expect(wait(lines)).toMatchObject({ waitMs: recommended, source: sourceOf(recommended) })
    expect(strictWait(lines)).toBe(strict)
  })
})

describe('a number of milliseconds', () => {
  it.each(['retry-after-ms', 'x-ms-retry-after-ms'])('is read from %s, rounded up', (name) => {
    const answers = { '0': 0, '1500': 1500, '0.1': 1, '1500.25': 1501, '007': 7, '12.000': 12, '0.0001': 1 }
    for (const [value, waitMs] of Object.entries(answers))
      expect(wait({ [name]: value })).toMatchObject({ waitMs, source: 'retry-after-ms' })
  })

  it('has no sign, exponent, unit or date, and needs digits on both sides of a point', () => {
    const values = ['-1', '+1', '1e3', '0x10', '10ms', '.5', '5.', '', 'NaN', 'Infinity', '1, 2', '1_0']
    for (const value of [...values, 'Sat, 22 Aug 2026 12:02:00 GMT'])
      expect(wait({ 'retry-after-ms': value })).toMatchObject({ waitMs: undefined, source: 'backoff' })
  })

  it('ends where a number of seconds does', () => {
    for (const value of ['9'.repeat(20), '9'.repeat(400)])
      expect(wait({ 'retry-after-ms': value }).waitMs).toBe(2_147_483_648_000)
  })

  it.each([
    { ms: '1500', seconds: '2', waitMs: 1500, why: 'is the finer one' },
    { ms: '1000', seconds: '2', waitMs: 1000, why: 'may be less by a second' },
    { ms: '999', seconds: '2', waitMs: 2000, why: 'is dropped if it is less by more' },
    { ms: '60000', seconds: '2', waitMs: 60_000, why: 'counts if it is more, however much' },
    { ms: '0', seconds: '1', waitMs: 0, why: 'may be 0' },
    {
      ms: '100',
      seconds: 'Sat, 22 Aug 2026 12:00:30 GMT',
      waitMs: 30_000,
      why: 'is compared with a date too',
    },
    { ms: '29500', seconds: 'Sat, 22 Aug 2026 12:00:30 GMT', waitMs: 29_500, why: 'is finer than a date' },
    { ms: 'abc', seconds: '2', waitMs: 2000, why: 'is passed over if it is malformed' },
    { ms: '100', seconds: 'abc', waitMs: 100, why: 'stands alone if Retry-After is malformed' },
  ])('$why: $ms beside $seconds', ({ ms, seconds, waitMs }) => {
    for (const name of ['retry-after-ms', 'x-ms-retry-after-ms'])
      expect(wait({ [name]: ms, 'Retry-After': seconds }).waitMs).toBe(waitMs)
  })

  it('is read from the first of the two that is there', () => {
    expect(wait({ 'x-ms-retry-after-ms': '7', 'retry-after-ms': '5' }).waitMs).toBe(5)
    expect(wait({ 'x-ms-retry-after-ms': '7', 'retry-after-ms': 'x' }).waitMs).toBeUndefined()
  })
})

describe('readWait', () => {
  it('says that nothing can be read, or that what can is no use', () => {
    expect(wait({})).toMatchObject({ waitMs: undefined, source: 'none' })
    expect(wait({ 'Content-Type': 'text/plain', Date: 'Sat, 22 Aug 2026 12:00:00 GMT' }).source).toBe('none')
    for (const name of ['Retry-After', 'Retry-After-Ms', 'X-Ms-Retry-After-Ms'])
      expect(wait({ [name]: 'soon' }).source).toBe('backoff')
    expect(wait({ RateLimit: '"a";r=3' }).source).toBe('backoff')
    expect(wait({ 'RateLimit-Policy': '"a";q=3' }).source).toBe('backoff')
  })

  it('goes by the clock of the wall if it is not told the time', () => {
    const date = new Date(Math.floor(Date.now() / 1000) * 1000 + 90_000).toUTCString()
    expect(readWait(new Headers({ 'Retry-After': date }), Date.now()).waitMs).toBeGreaterThan(80_000)
    expect(readRateLimit(new Headers({ 'X-RateLimit-Reset': date })).waitMs).toBeLessThanOrEqual(90_000)
  })
})

describe('of several that ask to wait', () => {
  const all = {
    'retry-after-ms': '1900',
    'Retry-After': '2',
    RateLimit: '"a";r=0;t=3',
    'RateLimit-Reset': '4',
    'X-RateLimit-Reset': '5',
    'X-Rate-Limit-Reset': '6',
  }
  const names = Object.keys(all) as (keyof typeof all)[]
  const answers: [number | undefined, WaitSource][] = [
    [1900, 'retry-after-ms'],
    [2000, 'retry-after:delay'],
    [3000, 'ratelimit'],
    [4000, 'ratelimit-legacy'],
    [5000, 'x-ratelimit'],
    [6000, 'x-ratelimit'],
    [undefined, 'none'],
  ]

  it.each(answers.map(([waitMs, source], without) => ({ waitMs, source, without })))(
    '$source of $waitMs is the first without $without of them',
    ({ waitMs, source, without }) => {
      const rest = names.slice(without)
      expect(wait(rest.map((name) => [name, all[name]]))).toMatchObject({ waitMs, source })
      // The order of the lines does not count.
      expect(wait(rest.reverse().map((name) => [name, all[name]]))).toMatchObject({ waitMs, source })
      // What is malformed is as if it were absent.
      const lines = names.map((name, index) => [name, index < without ? 'abc;;' : all[name]] as const)
      expect(wait(lines).waitMs).toBe(waitMs)
    },
  )

  it('what names no time leaves the word to the next', () => {
    expect(wait({ RateLimit: '"a";r=0', 'RateLimit-Reset': '4' })).toMatchObject({
      waitMs: 4000,
      source: 'ratelimit-legacy',
    })
    expect(wait({ RateLimit: '"a";r=-1;t=9', 'X-RateLimit-Reset': '5' })).toMatchObject({
      waitMs: 5000,
      source: 'x-ratelimit',
    })
    expect(wait({ RateLimit: '"a";r=3;t=9', 'X-RateLimit-Reset': '5' })).toMatchObject({
      waitMs: undefined,
      source: 'backoff',
    })
  })
})

describe('a field that is no List', () => {
  it('takes nothing from the other field', () => {
    expect(limitsOf(read({ 'RateLimit-Policy': '"a" ;q=1', RateLimit: '"a";r=1;t=1' }))).toBe('a 1/1000')
    expect(policiesOf(read({ 'RateLimit-Policy': '"a";q=1', RateLimit: '"a" ;r=1' }))).toBe('a 1/?')
  })
})

describe('a member', () => {
  const sound = ', "good";r=0;t=1'

  it.each(['42', '4.2', ':YQ==:', '?1', '@0', '%"a"', '("a")', '()'])(
    'that is no name is dropped alone: %s',
    (item) => {
      expect(limitsOf(limit(`${item};r=0;t=9${sound}`))).toBe('good 0/1000')
      expect(policiesOf(read({ 'RateLimit-Policy': `${item};q=1;w=9, "good";q=2` }))).toBe('good 2/?')
    },
  )

  it.each([
    'r=0.0;t=9',
    'r=0;t=9.0',
    'r="0";t=9',
    'r=0;t="9"',
    'r;t=9',
    'r=0;t',
    't=9',
    'r=-1;t=9',
    'r=0;t=-1',
    'r=@0;t=9',
    'r=0;t=9;pk=abc',
    'r=0;t=9;pk',
    'r=0;a=-1;t=9',
    'r=0;t=9;w=x',
  ])('with a fault is dropped alone: %s', (params) => {
    expect(limitsOf(limit(`"bad";${params}${sound}`))).toBe('good 0/1000')
    expect(limitsOf(limit(`"good";${params}${sound}`))).toBe('good 0/1000')
  })

  it.each(['q=1.0', 'q="1"', 'q', 'w=9', 'q=-1;w=9', 'q=1;w=0', 'q=1;w=-1', 'q=1;w=9.0', 'q=1;pk="a"'])(
    'of the policies with a fault is dropped alone: %s',
    (params) => {
      expect(policiesOf(read({ 'RateLimit-Policy': `"bad";${params}, "good";q=2;w=1` }))).toBe('good 2/1000')
    },
  )

  it('has either spelling, or both, of which the stricter counts', () => {
    for (const params of [
      'r=3;t=5',
      'a=3;w=5',
      'r=3;w=5',
      'a=3;t=5',
      'r=3;a=4;t=5',
      'r=4;a=3;w=5',
      'r=3;t=4;w=5',
      'a=3;t=5;w=4',
    ])
      expect(limitsOf(limit(`"a";${params}`))).toBe('a 3/5000')
  })

  it('has one spelling if strict', () => {
    expect(limitsOf(limit('"a";r=3;t=5, "b";r=3;w=5, "c";a=3;t=5, "d";r=3;a=1;t=5;w=9', true))).toBe(
      'a 3/5000, b 3/?, d 3/5000',
    )
  })

  it('is of the policy whose name has the same characters, in the same case', () => {
    const lines = { 'RateLimit-Policy': 'x;q=9;qu="content-bytes", "Y";q=9;qu="content-bytes"' }
    expect(limitsOf(read({ ...lines, RateLimit: '"x";r=1, y;r=1' }))).toBe('x 1/? content-bytes, y 1/?')
  })
})

describe('a name given twice', () => {
  it.each([
    ['"a";r=0;t=5, "a";r=9;t=60', 'a 0/60000'],
    ['"a";r=9;t=60, a;r=0;t=5', 'a 0/60000'],
    ['"a";r=4, "a";r=5;t=5', 'a 4/5000'],
    ['"a";r=4;t=5, "a";r=5', 'a 4/5000'],
    ['"a";r=4, "a";r=5', 'a 4/?'],
    ['"a";r=4;t=1, b;r=2;t=2, "a";r=3;t=3', 'a 3/3000, b 2/2000'],
  ])('has the smallest quota and the longest window: %s', (value, answer) => {
    expect(limitsOf(limit(value))).toBe(answer)
    const policies = value.replaceAll('r=', 'q=').replaceAll('t=', 'w=')
    expect(policiesOf(read({ 'RateLimit-Policy': policies }))).toBe(answer)
  })
})

describe('the wait', () => {
  it.each([
    ['"a";r=0;t=5, "b";r=0;t=7, "c";r=1;t=9', 7000],
    ['"a";r=1;t=9', undefined],
    ['"a";r=0', undefined],
    ['"a";r=0, "b";r=0;t=0', 0],
    ['"a";r=0, "b";r=0;t=3', 3000],
  ])('is the longest window with nothing left: %s', (value, waitMs) => {
    expect(limit(value).waitMs).toBe(waitMs)
  })

  it.each([
    { unit: 'requests', asRead: 'requests', waitMs: 5000 },
    { unit: 'request', asRead: 'requests', waitMs: 5000 },
    { unit: 'content-bytes', asRead: 'content-bytes', waitMs: 5000 },
    { unit: 'tokens', asRead: 'tokens', waitMs: 5000 },
    { unit: 'concurrent-requests', asRead: 'concurrent-requests', waitMs: undefined },
  ])('with a unit of $unit is $waitMs', ({ unit, asRead, waitMs }) => {
    const reading = read({ 'RateLimit-Policy': `"a";q=9;qu="${unit}"`, RateLimit: '"a";r=0;t=5' })
    expect(reading.waitMs).toBe(waitMs)
    expect([reading.limits[0]!.unit, reading.policies[0]!.unit]).toEqual([asRead, asRead])
  })

  it('has a unit that is not known if it is no String', () => {
    const reading = read({ 'RateLimit-Policy': 'a;q=9;qu=tokens, b;q=9;qu=5, c;q=9;qu' })
    expect(policiesOf(reading)).toBe('a 9/? tokens, b 9/? 5, c 9/? ?1')
  })
})

describe('a response from a cache', () => {
  const lines = { RateLimit: '"a";r=0;t=5', 'RateLimit-Policy': '"a";q=1', 'X-RateLimit-Reset': '9' }

  it.each(['1', '100', '100, 0', '007'])('says nothing of limits, at the age of %s', (age) => {
    expect(read({ ...lines, Age: age })).toEqual({
      source: undefined,
      limits: [],
      policies: [],
      waitMs: undefined,
    })
    expect(read({ 'X-RateLimit-Reset': '9', Age: age }).source).toBeUndefined()
  })

  it.each(['0', '', 'abc', '-1'])('is one with an age above 0, and not of "%s"', (age) => {
    expect(read({ ...lines, Age: age }).waitMs).toBe(5000)
  })
})

describe('the older fields', () => {
  it('are not read if strict', () => {
    for (const name of [
      'RateLimit-Reset',
      'X-RateLimit-Reset',
      'X-Rate-Limit-Reset',
      'X-RateLimit-Reset-After',
    ])
      expect(read({ [name]: '5' }, true).source).toBeUndefined()
    expect(limit('limit=9, remaining=0, reset=5', true).source).toBeUndefined()
  })

  it.each([
    ['limit=100, remaining=0, reset=5', 'default 0/5000', 5000],
    ['limit=100,remaining=0,reset=5', 'default 0/5000', 5000],
    ['reset=5', 'default ?/5000', 5000],
    ['remaining=3;x=1, reset=5, x="a"', 'default 3/5000', undefined],
    ['remaining=-1, reset=5', 'default ?/5000', 5000],
    ['reset=5, reset=6', 'default ?/6000', 6000],
    ['limit=100, remaining=0', '', undefined],
    ['remaining=0, reset=5.5', 'default 0/5500', 5500],
    ['remaining=0, reset=-5', '', undefined],
    ['remaining=0, reset="5"', 'default 0/5000', 5000],
    ['remaining=0, reset=:NQ==', '', undefined],
    ['remaining=0, reset', '', undefined],
    ['remaining=0, reset=5,', '', undefined],
    ['Remaining=0, reset=5', '', undefined],
  ])('are the Dictionary of draft 07: %s', (value, answer, waitMs) => {
    const reading = limit(value)
    expect([limitsOf(reading), reading.waitMs]).toEqual([answer, waitMs])
    expect(reading.source).toBe(answer ? 'ratelimit-legacy' : undefined)
  })

  const families = [
    { prefix: 'RateLimit-', source: 'ratelimit-legacy' },
    { prefix: 'X-RateLimit-', source: 'x-ratelimit' },
    { prefix: 'X-Rate-Limit-', source: 'x-ratelimit' },
  ]

  it.each(families)('with the prefix $prefix tell what is left', ({ prefix, source }) => {
    const answer = (remaining: string) => {
      const reading = read({ [`${prefix}Remaining`]: remaining, [`${prefix}Reset`]: '5' })
      expect(reading.source).toBe(source)
      return [limitsOf(reading), reading.waitMs]
    }
    expect(answer('0')).toEqual(['default 0/5000', 5000])
    expect(answer('3')).toEqual(['default 3/5000', undefined])
    for (const malformed of ['', 'x', '-1', '1, 2', '1e3', '9'.repeat(400)])
      expect(answer(malformed)).toEqual(['default ?/5000', 5000])
  })

  it.each(families)('with the prefix $prefix name no time without a reset', ({ prefix }) => {
    expect(read({ [`${prefix}Remaining`]: '0', [`${prefix}Limit`]: '9' })).toMatchObject({
      source: undefined,
      limits: [],
    })
  })

  it.each(families)('with the prefix $prefix may have a reset after some seconds', ({ prefix, source }) => {
    expect(read({ [`${prefix}Reset-After`]: '1.2345' })).toMatchObject({ source, waitMs: 1235 })
    expect(read({ [`${prefix}Reset-After`]: '9', [`${prefix}Reset`]: '5' }).waitMs).toBe(5000)
    expect(read({ [`${prefix}Reset-After`]: '9', [`${prefix}Reset`]: 'x' }).waitMs).toBe(9000)
  })

  const reset = (value: string, more: Fields = {}) => read({ 'X-RateLimit-Reset': value, ...more }).waitMs

  it.each([
    ['0', 0],
    ['0.0001', 1],
    ['999999999', 999_999_999_000],
    ['999999999.9', 999_999_999_900],
    ['1000000000', 0],
    ['1787400000', 0],
    ['1787400001', 1000],
    ['99999999999', 98_212_599_999_000],
    ['100000000000', 0],
    ['1787400000001', 1],
    ['1787400000000.5', 1],
    ['99999999999000', 98_212_599_999_000],
    ['100000000000000', undefined],
    ['9'.repeat(400), undefined],
    ['00000000000000000005', 5000],
    ['1.', undefined],
    ['.5', undefined],
    ['+5', undefined],
    ['5s', undefined],
    ['5, 6', undefined],
    ['1e9', undefined],
  ])('have a reset whose unit is told by its size: %s', (value, waitMs) => {
    expect(reset(value)).toBe(waitMs)
  })

  it.each([
    ...listOf(`
    2026-08-22T12:00:50Z | 2026-08-22t12:00:50z | 2026-08-22 12:00:50Z | 2026-08-22T12:00:50+00:00
    2026-08-22T12:00:50-00:00 | 2026-08-22T17:30:50+05:30 | 2026-08-22T08:00:50-04:00
    2026-08-23T00:00:50+12:00
    `).map((value) => [value, 50_000] as const),
    ['2026-08-22T12:00:50.5Z', 50_500],
    ['2028-02-29T00:00:00Z', 47_995_200_000],
    ['2020-01-01T00:00:00Z', 0],
    ['0000-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59Z', 251_614_900_799_000],
    ...listOf(`
    2026-08-22T12:00:50 | 2026-08-22 | 2026-08-22T12:00Z | 2026-08-22T12:00:50+0530
    2026-08-22T12:00:50+24:00 | 2026-08-22T12:00:50+05:60 | 2026-08-22T12:00:50.Z | 2026-8-22T12:00:50Z
    2026-00-22T12:00:50Z | 2026-13-22T12:00:50Z | 2026-08-00T12:00:50Z | 2026-08-32T12:00:50Z
    2026-08-22T24:00:00Z | 2026-08-22T12:60:00Z | 2026-08-22T12:00:61Z | +002026-08-22T12:00:50Z
    x2026-08-22T12:00:50Z | 2026-08-22T12:00:50Zx
    `).map((value) => [value, undefined] as const),
  ] as const)('may have a timestamp with a zone for a reset: %s', (value, waitMs) => {
    expect(reset(value)).toBe(waitMs)
  })

  it('have instants compared with the clock of the server, if it tells the time, and numbers of seconds not', () => {
    const Date = 'Sat, 22 Aug 2026 12:10:00 GMT'
    for (const value of [
      '1787400650',
      '1787400650000',
      '2026-08-22T12:10:50Z',
      'Sat, 22 Aug 2026 12:10:50 GMT',
    ])
      expect([reset(value, { Date }), reset(value, { Date: 'soon' })]).toEqual([50_000, 650_000])
    expect(reset('50', { Date })).toBe(50_000)
  })

  it('count only if the newer ones say nothing of a time', () => {
    const older = { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '4' }
    expect(read({ ...older, RateLimit: '"a";r=9;t=60' })).toMatchObject({
      source: 'ratelimit',
      waitMs: undefined,
    })
    expect(read({ ...older, RateLimit: '"a";r=9' })).toMatchObject({
      source: 'ratelimit-legacy',
      waitMs: 4000,
    })
    expect(policiesOf(read({ ...older, 'RateLimit-Policy': '"a";q=9' }))).toBe('a 9/?')
  })
})

describe('a hostile server', () => {
  it('has no field read that is longer than 8 KiB', () => {
    const padded = (value: string, length: number) => value + '1'.padStart(length - value.length, '0')
    const lines: [string, string][] = [
      ['RateLimit', '"a";r=0;t='],
      ['RateLimit', '"a";r=0;t=1;x='],
      ['RateLimit-Reset', ''],
      ['X-RateLimit-Reset', ''],
    ]
    for (const [name, value] of lines) {
      expect(read({ [name]: padded(value, 8193) }).source).toBeUndefined()
    }
    const commented = (length: number) => `"a";r=0;t=1;x="${'x'.repeat(length - 16)}"`
    expect(commented(8192)).toHaveLength(8192)
    expect(read({ RateLimit: commented(8192) }).waitMs).toBe(1000)
    expect(read({ RateLimit: commented(8193) }).waitMs).toBeUndefined()
    expect(read({ 'RateLimit-Reset': '5'.padStart(8192, '0') }).waitMs).toBe(5000)
  })

  it('has 8 limits and 8 policies kept, and the longest wait of all', () => {
    const members = (params: string) =>
      Array.from({ length: 12 }, (_, index) => `"n${String(index)}";${params}`).join(',')
    const reading = read({
      RateLimit: `${members('r=0;t=5')}, "last";r=0;t=9`,
      'RateLimit-Policy': members('q=1;w=1'),
    })
    expect([reading.limits.length, reading.policies.length, reading.waitMs]).toEqual([8, 8, 9000])
    expect(reading.limits[7]!.name).toBe('n7')
  })

  it('has 64 characters of a name and a unit kept', () => {
    const long = 'x'.repeat(65)
    const kept = 'x'.repeat(64)
    const reading = read({
      RateLimit: `"${long}";r=0;t=5`,
      'RateLimit-Policy': `"${long}y";q=1;qu="${long}"`,
    })
    expect(reading.limits).toMatchObject([{ name: kept, unit: kept }])
    expect(reading.policies).toMatchObject([{ name: kept, unit: kept }])
  })

  it('does no harm with names that objects have', () => {
    const names = ['__proto__', 'constructor', 'toString']
    const list = (params: string) => names.map((name) => `"${name}";${params}`).join(', ')
    const reading = read({
      RateLimit: list('r=0;t=5;constructor;to-string=1'),
      'RateLimit-Policy': list('q=1;qu="x"'),
    })
    expect(reading.limits.map(({ name }) => name)).toEqual(names)
    expect(reading.limits.map(({ unit }) => unit)).toEqual(['x', 'x', 'x'])
    expect(limit('"hasOwnProperty";r=0').limits[0]!.unit).toBe('requests')
    expect(Object.prototype).not.toHaveProperty('available')
  })

  const value = fc.oneof(
    fc.constantFrom('0', '5', '-1', '1787400050', '1787400050000', '1e3', '1.5', 'abc', '', '9'.repeat(400)),
    fc.constantFrom('Sat, 22 Aug 2026 12:00:50 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', '2026-08-22T12:00:50Z'),
    fc.constantFrom(
      '"a";r=0;t=5',
      '"a";r=5;t=5',
      'a;a=0;w=3;c=1, "b";r=0;t=9',
      '"a";q=1;w=1;qu="x"',
      'remaining=0, reset=5',
    ),
    fc.string({ unit: fc.constantFrom(...Array.from('"a;=rtqw0159-., :()?@%')), maxLength: 16 }),
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789-+:.TZ ')), maxLength: 26 }),
  )
  const names = [
    'retry-after',
    'retry-after-ms',
    'x-ms-retry-after-ms',
    'ratelimit',
    'ratelimit-policy',
    'ratelimit-reset',
    'ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-remaining',
    'x-ratelimit-reset-after',
    'x-rate-limit-reset',
    'date',
    'age',
  ]
  const anyLines = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })

  it('never gets a wait that is not a finite number from 0, nor makes anything throw', () => {
    let answers = 0
    let waits = 0
    fc.assert(
      fc.property(anyLines, fc.boolean(), (lines, strict) => {
        answers++
        const { waitMs, source } = wait(lines)
        const reading = read(lines, strict)
        const numbers = [waitMs, reading.waitMs]
        for (const { available, windowMs } of reading.limits) numbers.push(available, windowMs)
        for (const { quota, windowMs } of reading.policies) numbers.push(quota, windowMs)
        for (const number of numbers)
          if (number !== undefined) expect(Number.isFinite(number) && number >= 0).toBe(true)
        expect(source === 'none' || source === 'backoff').toBe(waitMs === undefined)
        expect(reading.source === undefined).toBe(reading.limits.length + reading.policies.length === 0)
        if (waitMs !== undefined) waits++
      }),
      tries(20_000),
    )
    expect(waits / answers).toBeGreaterThan(0.125)
  })
})
