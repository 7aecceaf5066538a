import { describe, expect, it } from 'vitest'
import { A, callAll, start, watch } from '../fixtures/start.ts'
import { says, limited, afterwards } from '../fixtures/limited-answers.ts'

describe('R32 R33 which answers count', () => {
  it.each([
    [200, 5010],
    [204, 5010],
    [404, 5010],
    [500, 5010],
    [304, 10],
  ])('R32 one of status %i lets the next go at %i', async (status, at) => {
    const answer =
      status === 304 || status === 204
        ? new Response(null, { status, headers: { ratelimit: '"a";r=0;t=5' } })
        : limited('"a";r=0;t=5', { status })
    const { clock, sent } = await afterwards(answer, 1)
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([at])
  })
})

describe('R34 R36 refusals and older fields', () => {
  it('R34 Retry-After goes before none left, whichever is longer', async () => {
    const { clock, sent } = await afterwards(
      says({ ratelimit: '"a";r=0;t=30', 'retry-after': '2' }, { status: 429 }),
      1,
    )
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([2010])
  })

  it.each([
    ['RateLimit-Reset', { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 'ratelimit-legacy'],
    ['X-RateLimit-Reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, 'x-ratelimit'],
  ])('R34 R35 a malformed Retry-After falls through to %s', async (_, headers, source) => {
    const { clock, sent, events } = await afterwards(
      says({ ...headers, 'retry-after': 'abc' }, { status: 429 }),
      1,
    )
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([30_010])
    expect(events.find(({ type }) => type === 'gate-closed')).toMatchObject({ source })
  })

  it('R42 who would wait longer than maxWaitMs for a quota is refused, as at the gate', async () => {
    const started = start({ pace: 'fixed', maxWaitMs: 4000 }, [limited('"a";r=1;t=5')])
    const { f, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    const calls = callAll(started, ['/1', '/2'])
    await clock.advanceAsync(10)
    expect(calls[0]!.response?.status).toBe(200)
    const late = watch(f(`${A}/3`), clock)
    await clock.advanceAsync(4000)
    expect(calls[1]!.error).toMatchObject({ code: 'wait-too-long' })
    expect(late.error).toMatchObject({ code: 'wait-too-long' })
    await clock.advanceAsync(2000)
  })
})
