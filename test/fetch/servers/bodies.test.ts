import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { listen, reply, tooMany } from './loopback.ts'
import { startReal, turn } from './start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

const bytes = new Uint8Array(100_000).map((_, index) => index * 7)

function form(): FormData {
  const data = new FormData()
  data.set('field', 'välue')
  data.set('file', new Blob([bytes]), 'file.bin')
  return data
}

/** Refuses, fails, breaks the connection, and then takes what it is sent. */
const reluctant = [tooMany(1), 500, 'break', 200] as const

describe('over HTTP, what is sent', () => {
  it.each<[string, () => BodyInit]>([
    ['a string', () => 'grüße'],
    ['URLSearchParams', () => new URLSearchParams({ a: 'b c', d: 'é' })],
    ['an ArrayBuffer', () => bytes.slice().buffer],
    ['part of an ArrayBuffer', () => bytes.subarray(10, 20)],
    ['a Blob', () => new Blob([bytes, 'end'], { type: 'text/own' })],
    ['FormData', form],
  ])(
    'R99 is the same bytes, of the same type, after a 429, a 500 and a broken connection: %s',
    async (_, body) => {
      const { origin, arrived } = await listen(({ response }, index) => {
        const answer = reluctant[index]!
        if (answer !== 'break') return answer
        response.destroy()
        return undefined
      })
      const { f, settle } = startReal({ maxRetries: 3 })
      expect((await settle(f(`${origin}/`, { method: 'PUT', body: body() }))).status).toBe(200)
      expect(arrived).toHaveLength(4)
      const [first] = arrived
      expect(first!.body.length).toBeGreaterThan(0)
      for (const { headers, body: received } of arrived) {
        expect(headers['content-type']).toBe(first!.headers['content-type'])
        expect(headers['content-length']).toBe(first!.headers['content-length'])
        expect(received.equals(first!.body)).toBe(true)
      }
    },
  )

  it.each<[string, () => unknown]>([
    ['a stream', () => new Blob(['streamed']).stream()],
    [
      'an async iterable',
      async function* () {
        await turn()
        yield new TextEncoder().encode('streamed')
      },
    ],
  ])('R98 is sent once if it is %s, and read only when it is sent', async (_, stream) => {
    const { origin, arrived } = await listen(() => tooMany(1))
    const { f, happens, settle } = startReal({ maxRetries: 5 })
    const init = (): RequestInit =>
      Object.assign({ method: 'PUT', duplex: 'half' }, { body: stream() as BodyInit })
    expect((await f(`${origin}/`, init())).status).toBe(429)
    const queued = f(`${origin}/`, init())
    await happens('gate-closed')
    await turn()
    expect(arrived).toHaveLength(1)
    expect((await settle(queued)).status).toBe(429)
    expect(arrived.map(({ body }) => body.toString())).toEqual(['streamed', 'streamed'])
  })
})

describe('over HTTP, what is answered', () => {
  it.each([
    ['500', reply(500)],
    ['a 503 that says when', reply(503, { 'Retry-After': '5' })],
    ['a 429', tooMany(5)],
  ] as const)(
    'R85 frees the connection while the call sleeps, though its body never ends: %s',
    async (_, answer) => {
      let closed: Promise<unknown> | undefined
      const { origin, arrived } = await listen(({ response }, index) => {
        if (index > 0) return 200
        closed = once(response, 'close')
        const { status, headers } = answer as { status: number; headers: Record<string, string> }
        response.writeHead(status, headers).write('a beginning')
        return undefined
      })
      const { f, clock, happens, settle } = startReal({ random: () => 0.5 })
      const call = f(`${origin}/`)
      await happens('retry')
      await closed
      const { queued, sleeping } = f.snapshot()
      expect(queued + sleeping).toBe(1)
      expect(clock.now()).toBe(0)
      expect((await settle(call)).status).toBe(200)
      expect(arrived).toHaveLength(2)
    },
  )
})
