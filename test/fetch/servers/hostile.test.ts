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
})
