import { describe, expect, it } from 'vitest'
import { tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, start, paths } from '../fixtures/start.ts'

describe('R38 to R40 how long the wait is', () => {
  it.each<[why: string, random: number, answer: Answer, waitMs: number]>([
    ['the server asks', 0, tooMany(10), 10_000],
    ['jitter is a tenth of it at most', 0.5, tooMany(10), 10_500],
    ['jitter is 5 s at most', 0.5, tooMany(100), 102_500],
    ['the own backoff is longer', 0, { status: 429, headers: { 'retry-after': '0' } }, 500],
    ['the own backoff is longer, and jitter is of the server time', 0.5, tooMany(0.5), 750 + 25],
    ['no time is told', 0.5, tooMany(), 750],
    ['no time is told, with the longest draw', 1 - 2 ** -53, tooMany(), 1000 - 500 * 2 ** -53],
  ])('R38 %s', async (_, random, answer, waitMs) => {
    const { f, server, clock } = start({ random: () => random, maxWaitMs: Infinity }, [answer])
    const call = f(`${A}/`)
    await clock.advanceAsync(200_000)
    expect((await call).status).toBe(200)
    expect(server.at()).toEqual([0, 10 + waitMs])
  })

  it.each([
    [0, [0, 10, 20, 30, 40, 50, 60, 70, 80]],
    [0.5, [0, 250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
  ])('R39 failures back off with full jitter, 30 s at most: drawing %s', async (random, waits) => {
    const { f, server, clock } = start({ random: () => random, maxRetries: 8 }, () => 500)
    const call = f(`${A}/`)
    await clock.advanceAsync(200_000)
    await call
    let at = -10
    expect(server.at()).toEqual(random === 0 ? waits : waits.map((wait) => (at += 10 + wait)))
  })

  it.each([
    [0, [0, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
    [0.5, [0, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
  ])('R39 throttles back off with equal jitter, 30 s at most: drawing %s', async (random, waits) => {
    const { f, server, clock } = start({ random: () => random, maxRetries: 7 }, () => tooMany())
    const call = f(`${A}/`)
    await clock.advanceAsync(200_000)
    await call
    let at = -10
    expect(server.at()).toEqual(waits.map((wait) => (at += 10 + wait)))
  })

  it('R39 of two that sleep the one whose time comes first is sent first, whichever fell asleep first', async () => {
    const failed = (seconds: string): Answer => ({ status: 500, headers: { 'retry-after': seconds } })
    const started = start({}, [failed('3'), failed('1'), failed('2')])
    callAll(started, ['/3', '/1', '/2'])
    await started.clock.advanceAsync(5000)
    expect(started.server.paths().slice(3)).toEqual(['/1', '/2', '/3'])
    expect(started.server.at().slice(3)).toEqual([1010, 2010, 3010])
  })

  it('R40 a server that always asks for no wait gets 3 requests in 3 s', async () => {
    const { f, server, clock } = start({ maxRetries: 100 }, () => tooMany(0))
    const call = f(`${A}/`)
    await clock.advanceAsync(3000)
    expect(server.at()).toEqual([0, 510, 1520])
    f.dispose()
    await expect(call).rejects.toThrow()
  })

  it.each([NaN, -1, -Infinity, Infinity, 'soon'])(
    'R47 a backoff of %s is replaced by the default',
    async (bad) => {
      const { f, server, clock } = start({ backoff: () => bad as number, random: () => 0.5 }, [
        500,
        tooMany(),
      ])
      const call = f(`${A}/`)
      await clock.advanceAsync(5000)
      await call
      expect(server.at()).toEqual([0, 10 + 250, 260 + 10 + 750])
    },
  )

  it('R47 a backoff of the user stands, with how often and why; the server time is kept all the same', async () => {
    const asked: unknown[] = []
    const { f, server, clock } = start({ maxRetries: 4, backoff: (...args) => (asked.push(args), 100) }, [
      500,
      500,
      tooMany(),
      tooMany(3),
    ])
    const call = f(`${A}/`)
    await clock.advanceAsync(5000)
    await call
    expect(server.at()).toEqual([0, 110, 220, 330, 3340])
    expect(asked).toEqual([
      [0, 'failure'],
      [1, 'failure'],
      [0, 'throttle'],
      [1, 'throttle'],
    ])
  })

  it('R47 a backoff of 0 stands', async () => {
    const { f, server, clock } = start({ backoff: () => 0, random: () => 0.5 }, [500, tooMany()])
    const call = f(`${A}/`)
    await clock.advanceAsync(5000)
    await call
    expect(server.at()).toEqual([0, 10, 20])
  })

  it.each([
    [1, 500],
    [1.01, 250],
    [2, 250],
    [-0.01, 250],
    [-1, 250],
    [NaN, 250],
    [Infinity, 250],
  ])(
    'R39 a random number of %s has a failure wait %i ms: what is none from 0 to 1 is a half',
    async (random, ms) => {
      const { f, server, clock } = start({ random: () => random }, [500])
      const call = f(`${A}/`)
      await clock.advanceAsync(5000)
      await call
      expect(server.at()).toEqual([0, 10 + ms])
    },
  )

  it('R127 a date counts by our own clock where the server does not tell its own', async () => {
    const { f, server, clock } = start({}, [
      { status: 429, headers: { 'retry-after': 'Sat, 22 Aug 2026 12:00:30 GMT' } },
    ])
    clock.setWall(Date.UTC(2026, 7, 22, 12) - 10)
    const call = f(`${A}/`)
    await clock.advanceAsync(40_000)
    await call
    expect(server.at()).toEqual([0, 30_010])
  })
})

const post: RequestInit = { method: 'POST' }

describe('R65 the spreading of the opening', () => {
  it('R65 carries the jitter, drawn once for each closing', async () => {
    const draws = [0.5, 0.25, 0.75, 0.1, 0.9, 0.3]
    let drawn = 0
    const started = start({ random: () => draws[drawn++ % draws.length]! }, [
      tooMany(10),
      tooMany(10),
      tooMany(10),
    ])
    const { f, clock } = started
    callAll(started, paths(3), post)
    await clock.advanceAsync(10)
    // The first draw is that of the own backoff, the second of the jitter: a quarter of 1 s.
    expect(f.snapshot(A)!.gate.until).toBe(10_010 + 250)
    expect(drawn).toBe(2)
  })

  it('R65 is drawn anew for the next closing', async () => {
    const draws = [0, 0.25, 0, 0.75]
    let drawn = 0
    const started = start({ random: () => draws[drawn++]! }, [tooMany(10), tooMany(10)])
    callAll(started, ['/1'], post)
    await started.clock.advanceAsync(20_000)
    callAll(started, ['/2'], post)
    await started.clock.advanceAsync(10)
    expect(started.f.snapshot(A)!.gate.until).toBe(30_010 + 750)
  })
})
