import { describe, expect, it } from 'vitest'
import { originsOf, post, SILENT, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B, endOf, play, run, start, type Started, watch } from '../fixtures/start.ts'

const keysOf = ({ f }: Pick<Started, 'f'>): string[] => Object.keys(f.snapshot().buckets)

describe('the key', () => {
  it('is the origin by default', async () => {
    const calls = `${A}/1 ${A}:443/2 http://a.test/ https://a.test:8443/ ${B}/ ${B}/x?y#z`
    const { f, server } = await run({ calls, options: { concurrency: 1 } })
    expect(keysOf({ f })).toEqual([A, 'http://a.test', 'https://a.test:8443', B])
    expect(server.at()).toEqual([0, 0, 0, 0, 10, 10])
  })

  it("comes from the user's function, called with the request", async () => {
    const started = start({ key: (request) => request.headers.get('tenant')! }, [tooMany(1)])
    const call = (tenant: string, steps: string) => play(started, steps, { headers: { tenant } })
    await call('one', '/1 +10')
    await call('two', '/2')
    await call('one', `${B}/3`)
    expect(started.server.paths()).toEqual(['/1', '/2'])
    expect(started.f.snapshot('one')).toMatchObject({ queued: 2, gate: { open: false } })
    expect(started.f.snapshot('two')).toMatchObject({ inFlight: 1, gate: { open: true } })
    await started.clock.advanceAsync(2000)
  })

  it('null bypasses every limit, also with init members that a Request does not carry', async () => {
    const started = start({ key: () => null, concurrency: 1, ratePerSecond: 1 }, () => 429)
    const init = { next: { revalidate: 1 } } as RequestInit
    const calls = await play(started, 'pause /1 /2 +10', init)
    expect(calls.map(endOf)).toEqual(['429@10', '429@10'])
    expect(started.server.requests).toMatchObject([{ init }, { init }])
    expect([keysOf(started), started.events]).toEqual([[], []])
  })
})

describe('kept buckets', () => {
  // Calls in order, each followed by a wait.
  it.each([
    ['are as many as maxBuckets', 3, 'a+100010 b+10 c+10', 'a b c'],
    [
      'are not those at rest for a minute; the oldest makes room first',
      3,
      'a+10 b+10 c+59980 c+10 d+10',
      'b c d',
    ],
    ['are all in use within the last minute, from the end of a call', 1, 'a+100010 a+60009 b+10', 'a b'],
    ['are not those that are idle, beyond', 1, 'a+100010 a+60010 b+10', 'b'],
    ['are twice as many at most, if they are idle', 2, 'a+10 b+10 c+10 d+10 e+10 f+10 g+10', 'd e f g'],
  ])('%s: %i of %s', async (_, maxBuckets, visits, kept) => {
    const { f, clock } = start({ maxBuckets })
    for (const visit of visits.split(' ')) {
      const [name, ms] = visit.split('+')
      void f(`https://${name}.test`)
      await clock.advanceAsync(Number(ms))
    }
    expect(keysOf({ f })).toEqual(kept.split(' ').map((name) => `https://${name}.test`))
  })

  it('are those in cooldown, with queued calls, paused or in flight; none delays another', async () => {
    const { f, clock } = start({ maxBuckets: 1, maxWaitMs: Infinity }, ({ url }) =>
      url.includes('closed') ? tooMany(300) : url.includes('silent') ? SILENT : 200,
    )
    f.pause('https://paused.test')
    for (const name of ['closed', 'silent']) void f(`https://${name}.test/`, post)
    await clock.advanceAsync(10)
    void f('https://closed.test/').catch(() => undefined)
    for (const origin of [A, B, 'https://c.test']) {
      const [call] = await play({ f, clock }, `+70000 ${origin} +10`)
      expect(call!.response?.status).toBe(200)
    }
    const kept = ['paused', 'closed', 'silent', 'c'].map((name) => `https://${name}.test`)
    expect(keysOf({ f })).toEqual(expect.arrayContaining(kept))
    f.dispose()
  })
})

describe('one origin never delays another', () => {
  it.each<[string, number, Answer]>([
    ['refuse for ten minutes', 257, tooMany(600)],
    ['refuse for ten minutes', 1000, tooMany(600)],
    ['never answer', 264, SILENT],
    ['never answer', 1000, SILENT],
  ])('%s: %i of them', async (_, count, answer) => {
    const { f, server, clock } = start({}, ({ url }) => (url.startsWith('https://o') ? answer : 200))
    for (const origin of originsOf(count)) void watch(f(origin, post), clock)
    await clock.advanceAsync(10)
    const calls = originsOf(20, 'good').map((origin) => watch(f(origin), clock))
    await clock.advanceAsync(10)
    expect(new Set(calls.map(endOf))).toEqual(new Set(['200@20']))
    // None was held back or sent again.
    expect(server.requests).toHaveLength(count + 20)
    expect(keysOf({ f })).toHaveLength(count + 20)
    expect(f.snapshot('https://never.test')).toBeUndefined()
  })

  it('a host that redirects to 300 refusing origins delays no other', async () => {
    let redirects = 0
    const { f, clock } = start({ maxRetries: 0 }, ({ url }) => {
      if (!url.startsWith(A)) return 200
      const response = new Response(null, tooMany(600))
      return Object.defineProperty(response, 'url', { value: `https://o${redirects++}.test/` })
    })
    const calls = await play({ f, clock }, `${'/ +10 '.repeat(300)}${B} +10`)
    expect(calls.map(({ response }) => response?.status)).toEqual([...Array<number>(300).fill(429), 200])
    expect(f.snapshot('https://o299.test')!.gate.open).toBe(false)
    expect(f.snapshot(A)!.gate.open).toBe(true)
  })
})
