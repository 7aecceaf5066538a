import { tokenBucket } from 'lull/core'
import { limitRate, queueTimeout, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { answersOf, endOf, play, run, start } from '../fixtures/start.ts'

const own = (queueTimeoutMs: number) => ({ rateLimit: { queueTimeoutMs } })

const one = { concurrency: 1 }

describe('a queue timeout', () => {
  it.each<[string, number, string, string, string, RateLimitedFetchOptions?, ReturnType<typeof own>?]>([
    ['rejects a call that is not sent in time', 50, '/1 /2', '200~100', '200@100 queue-timeout@50', one],
    ['of the call itself rejects it', Infinity, '/1 /2', '200~100', '200@100 queue-timeout@50', one, own(50)],
    ['of the call itself counts first', 500, '/1 /2', '200~100', '200@100 queue-timeout@50', one, own(50)],
    [
      'rejects it at once if the gate is closed for longer',
      4000,
      'POST/1 POST/2 10:/3 1510:/4',
      '429/5',
      '429@10 queue-timeout@10 queue-timeout@10 200@5020',
      one,
    ],
    ['never ends a call', Infinity, '/1 /2', '200~100', '200@100 200@110', one],
    ['allows a shorter cooldown', 6000, 'POST/1 POST/2', '429/5', '429@10 200@5020', one],
    ['is over when the call is first sent', 50, '/', '500 429/1', '200@1330', { random: () => 0.5 }],
  ])('%s: %i ms', async (_, ms, calls, answers, ends, options, init) => {
    const policies = [queueTimeout(ms)]
    const done = await run({ calls, answers, init, options: { pace: 'fixed', policies, ...options } })
    expect(done.ends).toBe(ends)
    const drops = done.events.filter(({ type }) => type === 'drop')
    expect(drops).toHaveLength(ends.split('queue-timeout').length - 1)
    for (const drop of drops) expect(drop).toMatchObject({ reason: 'queue-timeout' })
  })

  it('does not apply to a request that bypasses the queue, or to a gate after a reset', async () => {
    const started = start({ policies: [queueTimeout(5)] }, answersOf('429/5'))
    await play(started, 'POST/1 +10')
    const calls = await play(started, '/', { rateLimit: false })
    calls.push(...(await play(started, 'reset /2 +10')))
    expect(calls.map(endOf)).toEqual(['200@20', '200@20'])
  })

  it.each([
    [50, 1],
    [2 ** 31, 0],
  ])('of %d ms, removed by configure, no longer ends a call', async (ms, timers) => {
    const started = start({ policies: [queueTimeout(ms)] }, answersOf('200~100'))
    const [call] = await play(started, 'pause /')
    expect(started.clock.pending).toBe(timers)
    started.f.configure({ policies: [] })
    await play(started, 'resume +100')
    expect(endOf(call!)).toBe('200@100')
  })

  it('reports the remaining wait of the call', async () => {
    const policies = [limitRate(tokenBucket({ ratePerSecond: 1, burst: 1 })), queueTimeout(100)]
    const { outcomes } = await run({ calls: '/1 500:/2', options: { policies } })
    const error = { name: 'RateLimitError', code: 'queue-timeout', retryAfterMs: 400 }
    expect(outcomes[1]!.error).toMatchObject({ ...error, message: 'Call given up: queue-timeout' })
  })

  it('rejects a call whose own time is not above 0', async () => {
    const { outcomes } = await run({ calls: '/', init: own(0), options: { policies: [queueTimeout(5)] } })
    expect(outcomes[0]!.error).toEqual(new RangeError('Expected queueTimeoutMs > 0, got 0'))
  })
})
