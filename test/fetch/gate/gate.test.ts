import type { RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B, callAll, paths, start, statusesOf, watch } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

describe('R37 what a throttle is', () => {
  const timed = { 'retry-after': '5' }
  it.each<[string, Answer, RateLimitedFetchOptions, number | undefined]>([
    ['429', 429, {}, 10 + 500],
    ['429 with a time', { status: 429, headers: timed }, {}, 10 + 5000],
    ['429 with a malformed time', { status: 429, headers: { 'retry-after': 'soon' } }, {}, 10 + 500],
    ['503', 503, {}, undefined],
    ['503 with a time', { status: 503, headers: timed }, {}, 10 + 5000],
    ['503 with a malformed time', { status: 503, headers: { 'retry-after': '-5' } }, {}, undefined],
    ['413 with a time', { status: 413, headers: timed }, {}, undefined],
    ['403', 403, {}, undefined],
    ['403 that isThrottled knows', 403, { isThrottled: ({ status }) => status === 403 }, 10 + 500],
    [
      '403 with a time that isThrottled knows',
      { status: 403, headers: timed },
      { isThrottled: ({ status }) => status === 403 },
      10 + 5000,
    ],
    ['500 with a time', { status: 500, headers: timed }, {}, undefined],
    ['200 with a time', { status: 200, headers: timed }, {}, undefined],
    ['a network error', networkError(), {}, undefined],
  ])('R37 %s', async (_, answer, options, until) => {
    const { f, clock } = start(options, [answer])
    const call = watch(f(`${A}/`, post), clock)
    await clock.advanceAsync(10)
    expect(f.snapshot(A)?.gate).toMatchObject({ open: until === undefined, until })
    expect(call.state).not.toBe('pending')
  })
})

describe('R49 to R56 the gate', () => {
  it('R49 a throttle stops every request of its bucket: queued ones, new ones, and those asleep', async () => {
    const started = start({ concurrency: 2, random: () => 0.5 }, [500, throttledLater(2)])
    const { f, server, clock } = started
    callAll(started, ['/asleep', '/refused', '/queued'])
    await clock.advanceAsync(10)
    await clock.advanceAsync(1)
    callAll(started, ['/new'])
    expect(server.paths()).toEqual(['/asleep', '/refused', '/queued'])
    await clock.advanceAsync(9)
    expect(f.snapshot(A)).toMatchObject({ gate: { open: false, until: 2120 } })
    await clock.advanceAsync(2099)
    expect(server.requests.filter(({ at }) => at > 20)).toEqual([])
    await clock.advanceAsync(1)
    expect(server.requests.filter(({ at }) => at > 20).map(({ at }) => at)).toEqual([2120])
    await clock.advanceAsync(5000)
    expect(server.early).toEqual([])
  })

  it('R49 a throttle stops nothing of another bucket', async () => {
    const { f, server, clock } = start({}, [tooMany(1)])
    const refused = f(`${A}/`)
    await clock.advanceAsync(10)
    const other = f(`${B}/`)
    expect(server.at()).toEqual([0, 10])
    await clock.advanceAsync(1010)
    expect((await refused).status).toBe(200)
    expect((await other).status).toBe(200)
  })

  it('R50 what is in flight when the gate closes is neither aborted nor sent again', async () => {
    const started = start({}, [tooMany(1), { status: 200, latencyMs: 500 }, { status: 200, latencyMs: 1500 }])
    const { server, clock } = started
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(3000)
    expect(calls.map(({ at }) => at)).toEqual([1020, 500, 1500])
    expect(server.paths()).toEqual(['/1', '/2', '/3', '/1'])
  })

  it.each([
    [1, 4],
    [4, 1],
  ])('R51 the deadline only moves later: pauses of %i s and %i s keep the longer one', async (one, two) => {
    const started = start({}, [tooMany(one), tooMany(two)])
    const { server, clock } = started
    callAll(started, paths(2))
    await clock.advanceAsync(10)
    callAll(started, ['/3'])
    await clock.advanceAsync(10_000)
    expect(server.at()).toEqual([0, 0, 4010, 4020, 4020])
  })

  it('R51 the loss of a probe does not bring forward what a late answer has put off', async () => {
    const late: Answer = { status: 429, headers: { 'retry-after': '10' }, latencyMs: 1100 }
    const started = start({}, [tooMany(1), late, { status: 200, latencyMs: 500 }])
    const { f, server, clock } = started
    const controller = new AbortController()
    const probe = watch(f(`${A}/1`, { signal: controller.signal }), clock)
    callAll(started, ['/2'])
    await clock.advanceAsync(1100)
    expect(f.snapshot(A)?.gate.until).toBe(11_100)
    controller.abort()
    await clock.advanceAsync(0)
    expect(probe.state).toBe('rejected')
    expect(f.snapshot(A)?.gate.until).toBe(11_100)
    await clock.advanceAsync(20_000)
    expect(server.at()).toEqual([0, 0, 1010, 11_100])
    expect(server.early).toEqual([])
  })

  it('R52 the success of a request sent before the closing neither opens the gate nor shortens it', async () => {
    const started = start({}, [tooMany(1), { status: 200, latencyMs: 500 }])
    const { f, server, clock } = started
    callAll(started, paths(2))
    await clock.advanceAsync(500)
    expect(f.snapshot(A)).toMatchObject({ gate: { open: false, until: 1010 }, window: 1 })
    await clock.advanceAsync(520)
    expect(server.at()).toEqual([0, 0, 1010])
  })

  it('R53 a success resets how often in a row the server has throttled', async () => {
    const { f, server, clock } = start({}, [tooMany(), tooMany(), 200, tooMany()])
    const first = f(`${A}/1`)
    await clock.advanceAsync(2000)
    await first
    const second = f(`${A}/2`)
    await clock.advanceAsync(2000)
    await second
    expect(server.at()).toEqual([0, 510, 1520, 2000, 2510])
  })

  it('R64 R47 how long the next probe waits after a lost one is asked as after a throttle', async () => {
    const asked: unknown[] = []
    const backoff = (...args: unknown[]): number => (asked.push(args), 100)
    const started = start({ backoff }, [tooMany(1), networkError()])
    callAll(started, ['/0'], { method: 'POST' })
    await started.clock.advanceAsync(10)
    callAll(started, ['/probe'], { method: 'POST' })
    await started.clock.advanceAsync(5000)
    expect(asked).toEqual([
      [0, 'throttle'],
      [1, 'throttle'],
      [0, 'failure'],
    ])
  })

  it('R54 throttles of one epoch are one event: one closing, one step of the backoff', async () => {
    const answers = [tooMany(), tooMany(), tooMany(), tooMany(), tooMany()]
    const started = start({}, answers)
    const { f, server, clock, events } = started
    const calls = callAll(started, paths(4))
    await clock.advanceAsync(10)
    expect(events.filter(({ type }) => type === 'throttled')).toHaveLength(4)
    expect(events.filter(({ type }) => type === 'gate-closed')).toHaveLength(1)
    expect(f.snapshot(A)?.gate.until).toBe(510)
    await clock.advanceAsync(510)
    // The probe is refused too: the second event, and the second step.
    expect(events.filter(({ type }) => type === 'gate-closed')).toHaveLength(2)
    expect(f.snapshot(A)?.gate.until).toBe(520 + 1000)
    await clock.advanceAsync(2000)
    expect(server.at()).toEqual([0, 0, 0, 0, 510, 1520, 1530, 1530, 1540])
    expect(statusesOf(calls)).toEqual([200, 200, 200, 200])
  })

  it('R54 a probe that is refused is another event, though a late answer has come in between', async () => {
    const started = start({}, [tooMany(), { ...tooMany(), latencyMs: 600 }, { ...tooMany(), latencyMs: 200 }])
    const { server, clock, events } = started
    callAll(started, paths(2))
    await clock.advanceAsync(5000)
    // Closed at 10 for the first step; put off at 600; closed at 710 for the second step.
    expect(server.at()).toEqual([0, 0, 510, 1710, 1720])
    expect(events.filter(({ type }) => type === 'gate-closed')).toHaveLength(2)
  })

  it('R54 a later throttle of the epoch may put the deadline off, and says so', async () => {
    const started = start({}, [tooMany(1), { status: 429, headers: { 'retry-after': '2' }, latencyMs: 300 }])
    const { clock, events } = started
    callAll(started, paths(2))
    await clock.advanceAsync(5000)
    const gates = events.filter(({ type }) => type === 'gate-closed' || type === 'gate-extended')
    expect(gates).toEqual([
      { type: 'gate-closed', key: A, at: 10, until: 1010, ms: 1000, source: 'retry-after:delay' },
      { type: 'gate-extended', key: A, at: 300, until: 2300, ms: 2000, source: 'retry-after:delay' },
    ])
  })

  it('R54 R153 a later throttle of the epoch that asks for less changes nothing, and tells of no gate', async () => {
    const late: Answer = { status: 429, headers: { 'retry-after-ms': '1000' }, latencyMs: 300 }
    const started = start({}, [tooMany(5), late])
    const { f, clock, events } = started
    callAll(started, paths(2))
    await clock.advanceAsync(400)
    expect(f.snapshot(A)!.gate).toMatchObject({ until: 5010, source: 'retry-after:delay' })
    expect(events.filter(({ type }) => type.startsWith('gate'))).toMatchObject([{ type: 'gate-closed' }])
    await clock.advanceAsync(10_000)
  })

  it('R55 a call that waits at the gate or sleeps holds no slot', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500])
    const { f, server, clock } = started
    const calls = callAll(started, ['/asleep', '/next'])
    await clock.advanceAsync(10)
    expect(f.snapshot(A)).toMatchObject({ sleeping: 1, inFlight: 1 })
    expect(server.at()).toEqual([0, 10])
    await clock.advanceAsync(300)
    expect(calls.map(({ at }) => at)).toEqual([270, 20])
  })
})

function throttledLater(seconds: number): {
  status: number
  headers: Record<string, string>
  latencyMs: number
} {
  return { status: 429, headers: { 'retry-after': String(seconds) }, latencyMs: 20 }
}
