import type { RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { run } from '../fixtures/start.ts'

describe('the length of the wait', () => {
  it.each<readonly [why: string, random: number, answer: string, waitMs: number]>([
    ['the server asks', 0, '429/10', 10_000],
    ['jitter is a tenth of it at most', 0.5, '429/10', 10_500],
    ['jitter is 5 s at most', 0.5, '429/100', 102_500],
    ['the backoff is longer', 0, '429/0', 500],
    ["the backoff is longer, and jitter comes from the server's wait", 0.5, '429/0.5', 750 + 25],
    ['the server sends no wait', 0.5, '429', 750],
    ['the server sends no wait, with the longest draw', 1 - 2 ** -53, '429', 1000 - 500 * 2 ** -53],
    ['the longest draw of a failure', 1, '500', 500],
    ...[1.01, 2, -0.01, -1, NaN, Infinity].map(
      (none) => ['no random number: a half', none, '500', 250] as const,
    ),
  ])('%s: drawing %d, after %s, %d ms', async (_, random, answers, waitMs) => {
    const options = { random: () => random, maxWaitMs: Infinity }
    const { server } = await run({ calls: '/', answers, options })
    expect(server.at()).toEqual([0, 10 + waitMs])
  })

  it.each([
    ['failures: full jitter, 30 s at most', 500, 0, Array<number>(8).fill(0)],
    ['failures: full jitter', 500, 0.5, [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
    ['throttles: equal jitter, 30 s at most', 429, 0, [500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
    ['throttles: equal jitter', 429, 0.5, [750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
  ])('back off by %s: after %i, drawing %s', async (_, status, random, waits) => {
    const options = { random: () => random, maxRetries: waits.length }
    const { server } = await run({ calls: '/', answers: () => status, options })
    let at = 0
    expect(server.at()).toEqual([0, ...waits.map((wait) => (at += 10 + wait))])
  })

  it('sends the call with the earlier wake-up first, in any order of falling asleep', async () => {
    const { server, sent } = await run({ calls: '/3 /1 /2', answers: '500/3 500/1 500/2' })
    expect([server.paths().slice(3), sent]).toEqual([['/1', '/2', '/3'], '0 0 0 1010 2010 3010'])
  })

  it.each([
    ...[NaN, -1, -Infinity, Infinity, 'soon'].map((bad) => [bad, 'is replaced by the default', '0 260 1020']),
    [0, 'stands', '0 10 20'],
  ])('a backoff of %s %s', async (backoff, _, sent) => {
    const options = { backoff: () => backoff, random: () => 0.5 } as RateLimitedFetchOptions
    expect((await run({ calls: '/', answers: '500 429', options })).sent).toBe(sent)
  })

  it("uses the user's backoff with attempt and reason, and still keeps the server's wait", async () => {
    const asked: unknown[] = []
    const options: RateLimitedFetchOptions = {
      maxRetries: 4,
      backoff: (...args) => (asked.push(args.join(' ')), 100),
    }
    const { sent } = await run({ calls: '/', answers: '500 500 429 429/3', options })
    expect(sent).toBe('0 110 220 330 3340')
    expect(asked).toEqual(['0 failure', '1 failure', '0 throttle', '1 throttle'])
  })
})
