import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, tick, watch } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

describe('R41 to R45 caps and timers', () => {
  it('R42 a retry that would wait longer than maxWaitMs is not made: the response is returned', async () => {
    const { f, server, clock } = start({ maxWaitMs: 5000 }, [tooMany(5), tooMany(6)])
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(10_000)
    expect(call).toMatchObject({ state: 'resolved', response: { status: 429 }, at: 5020 })
    expect(server.at()).toEqual([0, 5010])
  })

  it.each([
    ['a throttle', tooMany(5), {}],
    ['a failure', { status: 500, headers: { 'retry-after': '5' } }, {}],
  ])('R42 the jitter comes on top of maxWaitMs: after %s', async (_, answer) => {
    const { f, server, clock } = start({ maxWaitMs: 5000, random: () => 0.5 }, [answer])
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(10_000)
    expect(call.response?.status).toBe(200)
    expect(server.at()).toEqual([0, 10 + 5250])
  })

  it('R42 the jitter comes on top of maxWaitMs for those who wait at the gate, new or queued', async () => {
    const started = start({ maxWaitMs: 5000, concurrency: 1, random: () => 0.5 }, [tooMany(5)])
    const { server, clock } = started
    const calls = callAll(started, paths(2), post)
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/3']))
    await clock.advanceAsync(10_000)
    expect(statusesOf(calls)).toEqual([429, 200, 200])
    expect(server.at()).toEqual([0, 5260, 5270])
  })

  it('R42 a new call is rejected at once while the gate has longer to go; later it waits', async () => {
    const { f, server, clock, events } = start({ maxWaitMs: 5000 }, [tooMany(8)])
    const first = watch(f(`${A}/1`), clock)
    await clock.advanceAsync(10)
    expect(first.response?.status).toBe(429)

    const tooLong = watch(f(`${A}/2`), clock)
    await tick()
    expect(tooLong.error).toMatchObject({ name: 'RateLimitError', code: 'wait-too-long', retryAfterMs: 8000 })
    await clock.advanceAsync(2998)
    const stillTooLong = watch(f(`${A}/3`), clock)
    await tick()
    expect(stillTooLong.error).toMatchObject({ code: 'wait-too-long', retryAfterMs: 5002 })
    // A millisecond is for the rounding of clocks that have fractions.
    await clock.advanceAsync(1)
    const waits = watch(f(`${A}/4`), clock)
    await clock.advanceAsync(5011)
    expect(waits.response?.status).toBe(200)
    expect(server.paths()).toEqual(['/1', '/4'])
    expect(events.filter(({ type }) => type === 'drop')).toEqual([
      { type: 'drop', key: A, at: 10, call: 2, reason: 'wait-too-long' },
      { type: 'drop', key: A, at: 3008, call: 3, reason: 'wait-too-long' },
    ])
  })

  it('R42 a queued call is rejected when the gate closes for longer', async () => {
    const started = start({ maxWaitMs: 5000, concurrency: 1 }, [tooMany(8)])
    const { server, clock } = started
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(10)
    expect(statesOf(calls)).toEqual(['resolved', 'rejected', 'rejected'])
    for (const { error } of calls.slice(1))
      expect(error).toMatchObject({ name: 'RateLimitError', code: 'wait-too-long', retryAfterMs: 8000 })
    expect(server.requests).toHaveLength(1)
  })

  it('R42 a sleeping call is not held either when the gate closes for longer', async () => {
    const started = start({ random: () => 0.5 }, [500, tooMany(100)])
    const { server, clock } = started
    const calls = callAll(started, ['/asleep'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/refused'], post))
    await clock.advanceAsync(10 + 240)
    expect(calls[1]!.response?.status).toBe(429)
    expect(calls[0]!.error).toMatchObject({ name: 'RateLimitError', code: 'wait-too-long' })
    expect(server.requests).toHaveLength(2)
    await clock.advanceAsync(200_000)
  })

  it('R43 a gate is never closed longer than maxGateMs: then one early probe goes', async () => {
    const started = start({ maxWaitMs: Infinity }, [tooMany(3600)])
    const { server, clock, events } = started
    const calls = callAll(started, ['/1'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/2', '/3']))
    await clock.advanceAsync(600_000)
    expect(server.at()).toEqual([0, 600_010])
    expect(events.filter(({ type }) => type === 'gate-probe')).toEqual([
      { type: 'gate-probe', key: A, at: 600_010, call: 1, early: true },
    ])
    await clock.advanceAsync(20)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
  })

  it('R43 a probe is early if the longest wait of the server is not over, whichever answer came last', async () => {
    const started = start({ maxWaitMs: Infinity, maxGateMs: 10_000 }, [tooMany(3600), tooMany(1)])
    const { server, clock, events } = started
    callAll(started, paths(2))
    await clock.advanceAsync(20_000)
    expect(server.at()).toEqual([0, 0, 10_010, 10_020])
    expect(events.find(({ type }) => type === 'gate-probe')).toMatchObject({ at: 10_010, early: true })
  })

  it('R43 with maxGateMs Infinity the gate stays closed as long as the server says', async () => {
    const started = start({ maxWaitMs: Infinity, maxGateMs: Infinity }, [tooMany(3600)])
    const { server, clock, events } = started
    callAll(started, ['/1'])
    await clock.advanceAsync(4_000_000)
    expect(server.at()).toEqual([0, 3_600_010])
    expect(events.find(({ type }) => type === 'gate-probe')).toMatchObject({ early: false })
  })
})
