import { warnOfHiddenFields } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { exposed, hidden, ok, script } from './script-server.ts'
import { startReal } from '../servers/start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

describe('in a browser, headers that another origin does not expose', () => {
  it('uses the default backoff with source none, and warns once per origin about hidden headers', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const refusal = { status: 429, headers: hidden({ 'Retry-After': '60' }) }
    const { f, events, settle } = startReal({ policies: [warnOfHiddenFields()] })
    for (const which of [0, 1] as const) {
      const place = await script(which, [refusal, refusal, ok])
      const response = await settle(f(place.url))
      expect(response.status).toBe(200)
      const own = events.filter(({ key }) => key === place.origin)
      expect(own.filter(({ type }) => type === 'throttled')).toMatchObject([
        { ms: 500, source: 'none' },
        { ms: 1000, source: 'none' },
      ])
      expect(warn.mock.calls.filter(([text]) => String(text).includes(place.origin))).toHaveLength(1)
    }
    const fields = 'Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, Date'
    for (const [text] of warn.mock.calls) expect(text).toContain(fields)
    expect(warn).toHaveBeenCalledTimes(2)
  })

  it.each<[string, Record<string, string>, string]>([
    ['delay', { 'Retry-After': '2' }, 'retry-after:delay'],
    [
      'date, by the clock of the server',
      { Date: 'Mon, 01 Jan 2001 00:00:00 GMT', 'Retry-After': 'Mon, 01 Jan 2001 00:00:02 GMT' },
      'retry-after:date',
    ],
  ])('uses exposed headers without a warning: %s', async (_, headers, source) => {
    const place = await script(0, [{ status: 429, headers: exposed(headers) }, ok])
    const { f, events, settle, sentAt } = startReal({ policies: [warnOfHiddenFields()] })
    expect((await settle(f(place.url))).status).toBe(200)
    expect(events.filter(({ type }) => type === 'throttled')).toMatchObject([{ ms: 2000, source }])
    expect(sentAt()).toEqual([0, 2000])
  })
})

describe('in a browser, a refusal that CORS hides', () => {
  it('treats a 429 without CORS headers as a network error, without a cooldown', async () => {
    const place = await script(0, [{ status: 429, headers: { 'Retry-After': '60' } }])
    const { f, settle, events } = startReal()
    await expect(settle(f(place.url))).rejects.toThrow(TypeError)
    expect(await place.log()).toHaveLength(3)
    expect(events.map(({ type }) => type)).not.toContain('throttled')
    expect(f.snapshot(place.origin)?.gate.open).toBe(true)
  })

  it('treats a 429 on the preflight as a network error, and never sends the request', async () => {
    const place = await script(0, [ok], [{ status: 429, headers: exposed({ 'Retry-After': '60' }) }])
    const { f, settle } = startReal()
    await expect(settle(f(place.url, { method: 'PUT', headers: { 'X-Own': '1' } }))).rejects.toThrow(
      TypeError,
    )
    expect((await place.log()).map(({ method }) => method)).toEqual(['OPTIONS', 'OPTIONS', 'OPTIONS'])
    expect(f.snapshot(place.origin)?.gate.open).toBe(true)
  })

  it('sends no preflight for any attempt of a simple request', async () => {
    const refusal = { status: 429, headers: exposed({ 'Retry-After': '1' }) }
    const place = await script(0, [refusal, { status: 500 }, ok])
    const { f, settle } = startReal()
    expect((await settle(f(place.url))).status).toBe(200)
    expect((await place.log()).map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
  })

  it('returns an opaque response unchanged', async () => {
    const place = await script(0, [{ status: 429, headers: { 'Retry-After': '60' } }])
    const { f } = startReal()
    expect(await f(place.url, { mode: 'no-cors' })).toMatchObject({ type: 'opaque', status: 0 })
    const moved = await script(0, [{ status: 307, headers: exposed({ Location: place.url }) }])
    expect(await f(moved.url, { redirect: 'manual' })).toMatchObject({ type: 'opaqueredirect', status: 0 })
    expect(await moved.log()).toHaveLength(1)
    expect(await place.log()).toHaveLength(1)
    expect(f.snapshot(place.origin)?.gate.open).toBe(true)
  })
})

it('in a browser, a redirect to another origin that refuses starts a cooldown for that origin only, and sends it no credentials on any attempt', async () => {
  const b = await script(1, [{ status: 429, headers: exposed({ 'Retry-After': '2' }) }, ok])
  const a = await script(0, [{ status: 307, headers: exposed({ Location: b.url }) }])
  const other = await script(0, [ok])
  const { f, happens, settle, sentAt } = startReal()
  const moved = f(a.url, { headers: { Authorization: 'Bearer secret' } })
  await happens('gate-closed')
  expect(f.snapshot(b.origin)?.gate).toMatchObject({ open: false, until: 2000 })
  expect((await f(other.url)).status).toBe(200)
  const response = await settle(moved)
  expect(response).toMatchObject({ status: 200, url: b.url, redirected: true })
  expect(sentAt()).toEqual([0, 0, 2000])

  const gets = (await a.log()).filter(({ method }) => method === 'GET')
  expect(gets.map(({ headers }) => headers['authorization'])).toEqual(Array(2).fill('Bearer secret'))
  const atB = (await b.log()).filter(({ method }) => method === 'GET')
  expect(atB).toHaveLength(2)
  for (const { headers } of atB) expect(headers).not.toHaveProperty('authorization')
})
