// What the worst of servers can cost: requests counted at the server, and every call settled.
import { describe, expect, it, vi } from 'vitest'
import { listen, reply, tooMany, type Reply } from './loopback.ts'
import { startReal } from './start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

describe('R142 a server that refuses for ever', () => {
  it.each<[string, string | undefined]>([
    ['with no time', undefined],
    ['0', '0'],
    ['-1', '-1'],
    ['a fraction of a ms', '0.0001'],
    ['words', 'soon'],
    ['1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['year 0', 'Sat, 01 Jan 0000 00:00:00 GMT'],
    ['numbers in a row', '5 0 0'],
    ['8 KB of commas', ','.repeat(8000)],
    ['8 KB of tabs', `${'\t'.repeat(8000)}0`],
  ])('R17 R40 costs three requests a call, half a second apart at least: %s', async (_, value) => {
    const { origin, arrived } = await listen(() => tooMany(value))
    const { f, settle, sentAt } = startReal()
    const calls = [f(`${origin}/1`), f(`${origin}/2`)]
    const responses = await settle(Promise.all(calls))
    expect(responses.map(({ status }) => status)).toEqual([429, 429])
    expect(arrived).toHaveLength(6)
    expect(sentAt().filter((at) => at < 500)).toHaveLength(2)
    expect(sentAt().filter((at) => at < 3000).length).toBeLessThanOrEqual(6)
  })

  it.each<[string, string]>([
    ['2^31 seconds', '2147483648'],
    ['2^31 ms in seconds', '2147484'],
    ['400 digits', '9'.repeat(400)],
    ['the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('R42 R43 costs one request in ten minutes, and holds no call: %s', async (_, value) => {
    const { origin, arrived } = await listen(() => tooMany(value))
    const { f, clock, events } = startReal()
    for (let probes = 1; probes <= 3; probes++) {
      expect((await f(`${origin}/`)).status).toBe(429)
      expect(arrived).toHaveLength(probes)
      for (let call = 0; call < 100; call++)
        await expect(f(`${origin}/`)).rejects.toMatchObject({ code: 'wait-too-long' })
      await clock.advanceAsync(600_000)
      expect(arrived).toHaveLength(probes)
    }
    const probes = events.filter(({ type }) => type === 'gate-probe')
    expect(probes).toMatchObject([{ early: true }, { early: true }])
  })

  it('R48 R62 now and then: each call costs three requests at most, and all are settled', async () => {
    const { origin, arrived } = await listen((_, index) => (index % 2 === 0 ? 200 : tooMany(0)))
    const { f, settle } = startReal()
    const responses = await settle(Promise.all(Array.from({ length: 30 }, () => f(`${origin}/`))))
    for (const { status } of responses) expect([200, 429]).toContain(status)
    expect(arrived.length).toBeLessThanOrEqual(90)
    expect(f.snapshot(origin)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
  })
})

describe('R142 a server that talks nonsense', () => {
  it.each<[string, Record<string, string>]>([
    ['a megabyte of a header', { 'X-Padding': 'x'.repeat(1_000_000), 'Retry-After': '60' }],
    ['a megabyte of Retry-After', { 'Retry-After': '6'.repeat(1_000_000) }],
    ['20,000 policies', { 'RateLimit-Policy': Array(20_000).fill('"a";q=1;w=1').join(', ') }],
  ])('R21 %s is an error of the network, which closes no gate', async (_, headers) => {
    const { origin, arrived } = await listen(() => reply(429, headers))
    const { f, settle } = startReal()
    await expect(settle(f(`${origin}/`))).rejects.toThrow(TypeError)
    expect(arrived).toHaveLength(3)
    expect(f.snapshot(origin)?.gate.open).toBe(true)
  })

  it('R82 endless redirects cost what the platform follows, on each of three attempts', async () => {
    const { origin, arrived } = await listen((_, index) => reply(302, { Location: `/${index}` }))
    await expect(fetch(`${origin}/`)).rejects.toThrow(TypeError)
    const native = arrived.length
    const { f, settle } = startReal()
    await expect(settle(f(`${origin}/`))).rejects.toThrow(TypeError)
    expect(arrived).toHaveLength(native * 4)
    expect(f.snapshot(origin)?.gate.open).toBe(true)
  })

  it.each<[string, Reply]>([
    ['less of a body than it announces', reply(503, { 'Content-Length': '100' })],
    ['another encoding than it announces', reply(503, { 'Content-Encoding': 'gzip' }, 'no gzip')],
  ])('R85 %s costs three requests like any other', async (_, answer) => {
    const { origin, arrived } = await listen(() => answer)
    const { f, settle } = startReal()
    expect((await settle(f(`${origin}/`))).status).toBe(503)
    expect(arrived).toHaveLength(3)
  })

  it('R127 a clock of the server that is years off changes no wait', async () => {
    const headers = {
      Date: 'Mon, 01 Jan 2001 00:00:00 GMT',
      'Retry-After': 'Mon, 01 Jan 2001 00:00:07 GMT',
    }
    const { origin } = await listen((_, index) => (index === 0 ? reply(429, headers) : 200))
    const { f, settle, sentAt } = startReal()
    await settle(f(`${origin}/`))
    expect(sentAt()).toEqual([0, 7000])
  })
})
