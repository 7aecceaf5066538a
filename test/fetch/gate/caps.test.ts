import { createRateLimitedFetch } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, answersOf, expectScript, scriptsOf, start, statusesOf, watch } from '../fixtures/start.ts'

describe('maxWaitMs', () => {
  // Calls, answers, send times, and ends.
  it.each(
    scriptsOf(`
    a retry that would wait longer returns its response
      / | 429/5 429/6 | 0 5010 | 429@5020
    jitter is added to it, after a throttle
      / | 429/5 | 0 5260 | 200@5270 | random=0.5
    jitter is added to it, after a failure
      / | 500/5 | 0 5260 | 200@5270 | random=0.5
    jitter is added to it at the gate, for a new or a queued call
      POST/1 POST/2 10:/3 | 429/5 | 0 5260 5270 | 429@10 200@5270 200@5280 | random=0.5 concurrency=1
    a queued call is rejected when the gate closes for longer
      /1 /2 /3 | 429/8 | 0 | 429@10 wait-too-long@10 wait-too-long@10 | concurrency=1
    a failed call returns its response if the gate is closed for longer
      /refused POST/no /failed | 429/100 500~20 500~30 | 0 0 0 | 429@10 500@20 500@30 | random=0.5
    a sleeping call is rejected when its time comes
      /asleep 10:POST/refused | 500 429/100 | 0 10 | wait-too-long@260 429@20 | random=0.5`),
  )('%s', async (_, script) => void (await expectScript(script, { maxWaitMs: 5000 })))

  it('a new call rejects at once while the remaining cooldown is too long; later it waits', async () => {
    // Adds a millisecond for rounding on fractional clocks.
    const script =
      '/1 10:/2 3008:/3 3009:/4 | 429/8 | 0 8010 | 429@10 wait-too-long@10 wait-too-long@3008 200@8020'
    const { outcomes, events } = await expectScript(script, { maxWaitMs: 5000 })
    const error = { name: 'RateLimitError', code: 'wait-too-long' }
    expect(outcomes[1]!.error).toMatchObject({ ...error, retryAfterMs: 8000 })
    expect(outcomes[2]!.error).toMatchObject({ ...error, retryAfterMs: 5002 })
    expect(events.filter(({ type }) => type === 'drop')).toEqual([
      { type: 'drop', key: A, at: 10, call: 2, reason: 'wait-too-long' },
      { type: 'drop', key: A, at: 3008, call: 3, reason: 'wait-too-long' },
    ])
  })
})

// A probe is early before the time that the server named.
describe.each([
  [
    true,
    `a gate is never closed longer: then one early probe is sent
      /1 10:/2 /3 | 429/3600 | 0 600010 600020 600020 | 200@600020 200@600030 200@600030
    a probe is early until the longest wait of the server is over
      /1 /2 | 429/3600 429/1 | 0 0 10010 10020 | 200@10020 200@10030 | maxGateMs=10000
    0: the refused call waits, the next one is an early probe
      /1 10:/2 | 429/5 | 0 10 5010 | 200@5020 200@20 | maxGateMs=0`,
  ],
  [
    false,
    `Infinity: as long as it says
      /1 | 429/3600 | 0 3600010 | 200@3600020 | maxGateMs=Infinity
    Infinity: beyond any timer
      /1 | 429/3000000 | 0 3000000010 | 200@3000000020 | maxGateMs=Infinity`,
  ],
])('maxGateMs, with a probe that is early: %s', (early, scripts) => {
  it.each(scriptsOf(scripts))('%s', async (_, script) => {
    const { events } = await expectScript(script, { maxWaitMs: Infinity }, 5e9)
    expect(events.filter(({ type }) => type === 'gate-probe')).toMatchObject([{ early }])
  })
})

it('a Retry-After equal to maxWaitMs is kept with any clock fraction', async () => {
  for (let one = 0; one < 200; one++) {
    const { server, clock } = start({}, answersOf('429/60'))
    // Browsers have hundreds of microseconds, and time passes between two readings.
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
