import type { FetchEvent } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, run } from '../fixtures/start.ts'

const rowsOf = (events: readonly FetchEvent[]): string[] =>
  events.map(({ at, type, key, ...detail }) => {
    expect(key).toBe(A)
    const said = Object.entries(detail).filter(([, value]) => value !== undefined)
    const rest = said.map(([name, value]) => `${name}=${String(value)}`)
    return [at, type, ...rest].join(' ')
  })

describe('the events', () => {
  it('cover one 429 and two more calls during the pause', async () => {
    const { events } = await run({ calls: '/1 500:/2 /3', answers: '429/1', options: { random: () => 0.5 } })
    expect(rowsOf(events)).toEqual([
      '0 enqueue call=1',
      '0 dispatch call=1 attempt=1',
      '10 response call=1 attempt=1 status=429 retryAfterMs=1000',
      '10 throttled call=1 ms=1050 source=retry-after:delay',
      '10 gate-closed until=1060 ms=1050 source=retry-after:delay',
      '10 retry call=1 attempt=2 delayMs=1050 reason=throttle',
      '500 enqueue call=2',
      '500 enqueue call=3',
      '1060 gate-opened',
      '1060 gate-probe call=1 early=false',
      '1060 dispatch call=1 attempt=2',
      '1070 response call=1 attempt=2 status=200',
      '1070 dispatch call=2 attempt=1',
      '1070 dispatch call=3 attempt=1',
      '1080 response call=2 attempt=1 status=200',
      '1080 response call=3 attempt=1 status=200',
    ])
  })

  it('cover a network error, a failure, and a final throttle', async () => {
    const { events } = await run({ calls: '/1', answers: 'x 500 429/0', options: { random: () => 0.5 } })
    expect(rowsOf(events)).toEqual([
      '0 enqueue call=1',
      '0 dispatch call=1 attempt=1',
      '10 error call=1 attempt=1 error=TypeError: fetch failed',
      '10 retry call=1 attempt=2 delayMs=250 reason=failure',
      '260 dispatch call=1 attempt=2',
      '270 response call=1 attempt=2 status=500',
      '270 retry call=1 attempt=3 delayMs=500 reason=failure',
      '770 dispatch call=1 attempt=3',
      '780 response call=1 attempt=3 status=429 retryAfterMs=0',
      '780 throttled call=1 ms=750 source=backoff',
      '780 gate-closed until=1530 ms=750 source=backoff',
      '780 give-up call=1 reason=attempts',
    ])
  })

  it.each([
    ['method', 'POST/', '500'],
    ['wait', '/', '429/1'],
  ])('give-up holds the reason: %s', async (reason, calls, answers) => {
    const { events } = await run({ calls, answers, options: { maxWaitMs: 500 }, untilMs: 10 })
    expect(events.at(-1)).toEqual({ type: 'give-up', key: A, at: 10, call: 1, reason })
  })

  it("a response event holds the server's limits, if any", async () => {
    const headers = { ratelimit: '"a";r=9;t=5', 'ratelimit-policy': '"a";q=10;w=5' }
    const { events } = await run({ calls: '/1 10:/2', answers: [{ status: 200, headers }] })
    const [first, second] = events.filter(({ type }) => type === 'response')
    const limits = [{ name: 'a', available: 9 }]
    expect(first).toMatchObject({ limits, policies: [{ name: 'a', quota: 10 }] })
    expect(second).not.toHaveProperty('limits')
  })

  it('contain no headers and no URL', async () => {
    const init = { headers: { authorization: 'secret' } }
    const { events } = await run({ calls: '/path?token=secret', answers: '429/1', init })
    expect(JSON.stringify(events)).not.toMatch(/secret|path/)
  })
})
