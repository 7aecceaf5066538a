import { type RateLimitedRequestInit } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, endOf, play, start, statusesOf } from '../fixtures/start.ts'

describe.each<[string, RateLimitedRequestInit]>([
  ['rateLimit: false', { rateLimit: false }],
  ['keepalive', { method: 'PUT', body: 'the last word', keepalive: true }],
])('a request with %s', (_, init) => {
  it('bypasses queue, gate, rate and concurrency at once, counts as in flight, and opens no gate', async () => {
    const options = { concurrency: 1, ratePerSecond: 0.1, burst: 1, maxQueue: 1 }
    const { f, server, clock, events } = start(options, [tooMany(30)])
    await play({ f, clock }, '/0 +10 /1 pause')
    const calls = callAll({ f, clock }, ['/past', '/past'], init)
    expect(server.paths()).toEqual(['/0', '/past', '/past'])
    expect(f.snapshot(A)).toMatchObject({ inFlight: 2, queued: 1, gate: { open: false } })
    await clock.advanceAsync(10)
    f.resume()
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(f.snapshot(A)!.gate.open).toBe(false)
    expect(events.filter(({ type }) => type === 'bypass')).toHaveLength(2)
    await clock.advanceAsync(60_000)
  })

  it('updates the gate by its response, and returns it unchanged', async () => {
    const started = start({}, [tooMany(5), tooMany(9)])
    const calls = await play(started, '/ +10 / +10', init)
    calls.push(...(await play(started, '/waits +9010')))
    expect(calls.map(endOf)).toEqual(['429@10', '429@20', '200@9030'])
  })
})
