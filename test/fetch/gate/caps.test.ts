import { createRateLimitedFetch, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, answersOf, endOf, run, start, statusesOf, tick, watch } from '../fixtures/start.ts'

const half = { random: () => 0.5 }

describe('maxWaitMs', () => {
  it.each<
    [why: string, calls: string, answers: string, sent: string, ends: string, RateLimitedFetchOptions?]
  >([
    [
      'a retry that would wait longer is not made: the response is returned',
      '/',
      '429/5 429/6',
      '0 5010',
      '429@5020',
    ],
    ['the jitter comes on top of it, after a throttle', '/', '429/5', '0 5260', '200@5270', half],
    ['the jitter comes on top of it, after a failure', '/', '500/5', '0 5260', '200@5270', half],
    [
      'the jitter comes on top of it at the gate, for a call that is new or queued',
      'POST/1 POST/2 10:/3',
      '429/5',
      '0 5260 5270',
      '429@10 200@5270 200@5280',
      { ...half, concurrency: 1 },
    ],
    [
      'a queued call is rejected when the gate closes for longer',
      '/1 /2 /3',
      '429/8',
      '0',
      '429@10 wait-too-long@10 wait-too-long@10',
      { concurrency: 1 },
    ],
    [
      'a sleeping call is not held either when the gate closes for longer',
      '/asleep 10:POST/refused',
      '500 429/100',
      '0 10',
      'wait-too-long@260 429@20',
      half,
    ],
  ])('%s', async (_, calls, answers, sent, ends, options) => {
    const done = await run({ calls, answers, options: { maxWaitMs: 5000, ...options } })
    expect([done.sent, done.ends]).toEqual([sent, ends])
  })

  it('a new call is rejected at once while the gate has longer to go; later it waits', async () => {
    const { f, server, clock, events } = start({ maxWaitMs: 5000 }, [tooMany(8)])
    const first = watch(f(`${A}/1`), clock)
    await clock.advanceAsync(10)
    expect(endOf(first)).toBe('429@10')
    for (const [at, retryAfterMs] of [
      [10, 8000],
      [3008, 5002],
    ] as const) {
      await clock.advanceAsync(at - clock.now())
      const call = watch(f(`${A}/`), clock)
      await tick()
      expect(call.error).toMatchObject({ name: 'RateLimitError', code: 'wait-too-long', retryAfterMs })
    }
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
})

describe('maxGateMs', () => {
  it.each<
    [why: string, calls: string, answers: string, sent: string, early: boolean, RateLimitedFetchOptions?]
  >([
    [
      'a gate is never closed longer: then one early probe goes',
      '/1 10:/2 /3',
      '429/3600',
      '0 600010 600020 600020',
      true,
    ],
    [
      'a probe is early if the longest wait of the server is not over, whichever answer came last',
      '/1 /2',
      '429/3600 429/1',
      '0 0 10010 10020',
      true,
      { maxGateMs: 10_000 },
    ],
    [
      'if Infinity, the gate stays closed as long as the server says',
      '/1',
      '429/3600',
      '0 3600010',
      false,
      { maxGateMs: Infinity },
    ],
  ])('%s', async (_, calls, answers, sent, early, options) => {
    const done = await run({
      calls,
      answers,
      options: { maxWaitMs: Infinity, ...options },
      untilMs: 5_000_000,
    })
    expect(done.sent).toBe(sent)
    expect(done.events.filter(({ type }) => type === 'gate-probe')).toMatchObject([{ early }])
  })
})

it('a Retry-After as long as maxWaitMs is waited for, whatever fractions the clock has', async () => {
  for (let one = 0; one < 200; one++) {
    const { server, clock } = start({}, answersOf('429/60'))
    // Browsers have hundreds of microseconds, and time passes from one reading to the next.
    let readings = 0
    const exact = { ...clock, now: () => 1e6 / 3 + clock.now() + one / 7 + readings++ / 3e5 }
    const f = createRateLimitedFetch({ clock: exact, fetch: server.fetch, random: () => (one % 10) / 10 })
    const calls = ['/1', '/2'].map((path) => watch(f(A + path), clock))
    await clock.advanceAsync(30.1 * (one / 200))
    calls.push(watch(f(`${A}/3`), clock))
    await clock.advanceAsync(100_000)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
  }
})
