import { describe, expect, it } from 'vitest'
import { A, callAll, paths, start, watch } from './start.ts'
import { says, limited, afterwards } from './limited-answers.ts'

describe('R32 R33 which answers count', () => {
  it('R32 one from a cache does not', async () => {
    const { clock, sent } = await afterwards(says({ ratelimit: '"a";r=0;t=5', age: '1' }), 2)
    await clock.advanceAsync(10)
    expect(sent()).toEqual([10, 10])
  })

  it('R32 one of age 0 does', async () => {
    const { clock, sent } = await afterwards(says({ ratelimit: '"a";r=0;t=5', age: '0' }), 1)
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([5010])
  })

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

  it('R33 the answer to an older request may lower the cap', async () => {
    const started = start({ pace: 'fixed' }, [
      limited('"a";r=2;t=5', { latencyMs: 20 }),
      limited('"a";r=9;t=5', { latencyMs: 10 }),
    ])
    callAll(started, paths(2))
    await started.clock.advanceAsync(20)
    callAll(started, paths(4))
    expect(started.server.requests).toHaveLength(4)
    await started.clock.advanceAsync(6000)
  })

  it('R33 the answer to an older request does not raise the cap', async () => {
    const started = start({ pace: 'fixed' }, [
      limited('"a";r=9;t=5', { latencyMs: 20 }),
      limited('"a";r=2;t=5', { latencyMs: 10 }),
    ])
    callAll(started, paths(2))
    await started.clock.advanceAsync(20)
    callAll(started, paths(4))
    // Two were left when the older one was still in flight.
    expect(started.server.requests).toHaveLength(2 + 1)
    await started.clock.advanceAsync(6000)
  })

  it('R33 the answer to a newer request raises it', async () => {
    const started = start({ pace: 'fixed' }, [limited('"a";r=1;t=60'), limited('"a";r=9;t=60')])
    callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    callAll(started, paths(6))
    await started.clock.advanceAsync(10)
    expect(started.server.requests).toHaveLength(7)
    await started.clock.advanceAsync(10)
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

  it('R34 what is left of another limit caps the rate after the wait', async () => {
    const { clock, sent } = await afterwards(
      says({ ratelimit: '"a";r=0;t=30, "b";r=2;t=10', 'retry-after': '2' }, { status: 429 }),
      4,
    )
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([2010, 2020, 10_010, 10_010])
  })

  it('R34 without Retry-After none left is waited for', async () => {
    const { clock, sent } = await afterwards(limited('"a";r=0;t=3, "b";r=0;t=4', { status: 429 }), 1)
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([4010])
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

  it.each([
    ['60 s', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }, 60_010],
    ['61 s', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '61' }, 10],
    ['no time', { 'x-ratelimit-remaining': '0' }, 10],
    ['a malformed time', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, 10],
    ['none left said by RateLimit, 61 s', { ratelimit: '"a";r=0;t=61' }, 61_010],
  ])('R36 none left before a refusal: %s', async (_, headers, at) => {
    const { clock, sent } = await afterwards(says(headers), 1)
    await clock.advanceAsync(100_000)
    expect(sent()).toEqual([at])
  })

  it('R36 does not bound the wait after a refusal', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' }
    const { clock, sent } = await afterwards(says(headers, { status: 429 }), 1)
    await clock.advanceAsync(100_000)
    expect(sent()).toEqual([90_010])
  })

  it('R25 a member that is no String or Token counts for nothing, and a policy is not that of a name in another case', async () => {
    const { clock, sent } = await afterwards(
      says({
        ratelimit: '5;r=0;t=9, (1 2);r=0;t=9, :aGk=:;r=0;t=9, A;r=1;t=4',
        'ratelimit-policy': '"a";q=9;qu="bananas"',
      }),
      2,
    )
    await clock.advanceAsync(10_000)
    expect(sent()).toEqual([10, 4010])
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
