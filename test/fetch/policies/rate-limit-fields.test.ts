import { describe, expect, it } from 'vitest'
import { rateLimitFields } from '../../../src/fetch/policies/rate-limit-fields.ts'
import { playLimits, type Answer, type LimitsPlay } from '../fixtures/play-limits.ts'

const said = (limit: string, policy?: string, more: Answer = {}): Answer => ({
  ...more,
  headers: { ratelimit: limit, ...(policy && { 'ratelimit-policy': policy }) },
})
const play = (...options: Parameters<typeof rateLimitFields>): LimitsPlay =>
  playLimits(rateLimitFields(...options))
const after = (limit: string, policy?: string, inFlight = 0): LimitsPlay => {
  const played = play()
  played.bucket.state.inFlight = inFlight
  played.answer(said(limit, policy))
  return played
}
const readyAt = ({ hooks, bucket }: LimitsPlay): number => hooks.readyAt!(bucket.clock.now(), bucket.call())

const TEN = '"a";q=10;w=1'

describe('what is available', () => {
  it('is unlimited before anything is said', () => {
    const played = play()
    expect(played.answer()).toBeUndefined()
    expect(readyAt(played)).toBe(0)
    expect(played.snapshot()).toEqual({ policies: [], quota: [] })
  })

  it('holds until the window is over', () => {
    expect(after('"a";r=3;t=5').schedule(5)).toEqual([0, 0, 0, 5000, 5000])
  })

  it('is believed for no longer than maxGateMs', () => {
    expect(after('"a";r=1;t=5000').schedule(2)).toEqual([0, 600_000])
  })

  it('is less by what is in flight', () => {
    expect(after('"a";r=3;t=5', undefined, 2).schedule(2)).toEqual([0, 5000])
    expect(readyAt(after('"a";r=3;t=5', undefined, 4))).toBe(5000)
  })

  it('of several limits holds for each its own time', () => {
    expect(after('"a";r=1;t=2, "b";r=3;t=4').schedule(5)).toEqual([0, 2000, 2000, 4000, 4000])
  })

  it.each(['"a";r=3', '"a";r=0'])('has no effect without a window: %s', (limit) => {
    expect(after(limit).schedule(4)).toEqual([0, 0, 0, 0])
  })

  it.each(['content-bytes', 'bananas'])('has no effect in %s', (unit) => {
    expect(after('"a";r=1;t=5', `"a";q=9;qu="${unit}"`).schedule(3)).toEqual([0, 0, 0])
  })

  it('is ample in a slow policy: nobody waits for it', () => {
    const instants = after('"a";r=900;t=1800', '"a";q=1000;w=3600').schedule(901)
    expect(instants.filter((at) => at === 0)).toHaveLength(900)
  })
})

describe('none left', () => {
  it('closes the gate for the longest window', () => {
    const { closings } = after('"a";r=0;t=5, "b";r=0;t=7, "c";r=1;t=9')
    expect(closings).toEqual([[7000, 'ratelimit']])
  })

  it('closes it in any unit, but for requests at a time', () => {
    expect(after('"a";r=0;t=5', '"a";q=9;qu="bananas"').closings).toEqual([[5000, 'ratelimit']])
    expect(after('"a";r=0;t=5', '"a";q=9;qu="concurrent-requests"').closings).toEqual([])
  })

  it('is the wait of a refusal, and does not close the gate a second time', () => {
    const played = play()
    expect(played.answer(said('"a";r=0;t=5', undefined, { status: 429 }))).toMatchObject({
      waitMs: 5000,
      source: 'ratelimit',
    })
    expect([played.closings, readyAt(played)]).toEqual([[], 0])
  })

  it('leaves what is left of another limit in force', () => {
    const played = play()
    played.answer(said('"a";r=0;t=30, "b";r=2;t=10', undefined, { status: 429, source: 'retry-after:delay' }))
    expect(played.schedule(3)).toEqual([0, 0, 10_000])
  })
})

describe('concurrent-requests', () => {
  const at = (available: number, more?: Answer): Answer =>
    said(`"c";r=${available}`, '"c";q=9;qu="concurrent-requests"', more)

  it('lets be in flight what is left and what already is', () => {
    const played = play()
    played.bucket.state.inFlight = 2
    played.answer(at(1))
    expect(readyAt(played)).toBe(0)
    played.bucket.state.inFlight = 3
    expect(readyAt(played)).toBe(Infinity)
  })

  it('lets one be in flight if none is left', () => {
    const played = play()
    played.answer(at(0))
    expect(readyAt(played)).toBe(0)
    played.bucket.state.inFlight = 1
    expect(readyAt(played)).toBe(Infinity)
  })

  it('is not raised by the response to an older request', () => {
    const played = play()
    played.answer(at(2, { sequence: 5 }))
    played.answer(at(1, { sequence: 3 }))
    played.answer(at(9, { sequence: 4 }))
    played.bucket.state.inFlight = 1
    expect(readyAt(played)).toBe(Infinity)
    played.answer(at(9, { sequence: 6 }))
    expect(readyAt(played)).toBe(0)
  })
})

describe('the pace of a policy', () => {
  it.each([
    ['two are kept', 5, 0, [0, 0, 0, 100, 200]],
    ['what is in flight is not left', 6, 2, [0, 0, 100, 200]],
    ['what is kept may be missing', 5, 4, [200]],
  ])('spreads what is available: %s', (_, available, inFlight, instants) => {
    expect(after(`"a";r=${available};t=60`, TEN, inFlight).schedule(instants.length)).toEqual(instants)
  })

  it('is that of the only policy, whatever its name, and of none of several others', () => {
    expect(after('"b";r=3;t=60', TEN).schedule(2)).toEqual([0, 100])
    expect(after('"b";r=3;t=60', `${TEN}, "c";q=10;w=1`).schedule(3)).toEqual([0, 0, 0])
  })

  it('is that of the slowest', () => {
    const policies = '"a";q=10;w=1, "b";q=10;w=5'
    expect(after('"a";r=9;t=60, "b";r=3;t=60', policies).schedule(3)).toEqual([0, 500, 1000])
  })

  it('is none below one per second, without a window, and without `spread`', () => {
    expect(after('"a";r=3;t=60', '"a";q=59;w=60').schedule(3)).toEqual([0, 0, 0])
    expect(after('"a";r=3;t=60', '"a";q=59').schedule(3)).toEqual([0, 0, 0])
    const played = play({ spread: false })
    played.answer(said('"a";r=3;t=60', TEN))
    expect(played.schedule(3)).toEqual([0, 0, 0])
    expect(played.snapshot()).not.toHaveProperty('pace')
  })

  it('is none for a small quota, of which the reserve would be a large part', () => {
    expect(after('"a";r=3;t=60', '"a";q=9;w=9').schedule(3)).toEqual([0, 0, 0])
  })

  it('ends with the window', () => {
    expect(readyAt(after('"a";r=1;t=1', '"a";q=10;w=10'))).toBe(1000)
  })
})

describe('over a rest', () => {
  const rest = (played: LimitsPlay, ms: number): LimitsPlay => {
    played.bucket.clock.advance(ms)
    return played
  }

  it('the policy stays known after a refusal', () => {
    const played = play()
    played.answer(said('"a";r=0;t=3', '"a";q=5;w=3', { status: 429, source: 'retry-after:delay' }))
    const instants = rest(played, 7000).schedule(11)
    expect(instants.slice(0, 5)).toEqual([7000, 7000, 7000, 7000, 7000])
    // They count from when the server must have seen them.
    expect(instants[5]).toBeGreaterThanOrEqual(7000 + 3000 + 10_000)
    expect(instants[10]).toBeGreaterThan(instants[5]!)
  })

  it('as much goes out as the server had at most, less two', () => {
    const played = after('"a";r=9;t=1', '"a";q=20;w=1')
    expect(
      rest(played, 60_000)
        .schedule(9)
        .filter((at) => at === 61_000 - 1000),
    ).toHaveLength(8)
  })

  it('one goes out when the window is over, however full the account is', () => {
    const played = after('"a";r=2;t=1', '"a";q=3;w=3600')
    expect(played.schedule(2)).toEqual([0, 0])
    played.answer(said('"a";r=0;t=60', '"a";q=3;w=3600', { sequence: 2 }))
    rest(played, 60_000)
    const [first, second] = played.schedule(2)
    expect(first).toBe(60_000)
    expect(second).toBeGreaterThanOrEqual(3_600_000)
  })

  it('a request whose response does not name the limit takes nothing of it', () => {
    const played = play()
    played.answer(said('"a";r=0;t=3', '"a";q=3;w=3', { status: 429 }))
    rest(played, 3000)
    played.schedule(3)
    expect(readyAt(played)).toBeGreaterThan(3000)
    played.answer({ sequence: 2 })
    expect(played.schedule(1)).toEqual([3000])
    expect(readyAt(played)).toBeGreaterThan(3000)
  })
})

describe('of two responses', () => {
  const left = (played: LimitsPlay): number | undefined => played.snapshot().quota![0]?.available

  it('the newer one counts, if it was sent after the other came', () => {
    const played = after('"a";r=5;t=60')
    played.bucket.clock.advance(10)
    played.answer(said('"a";r=9;t=60'))
    expect(left(played)).toBe(9)
  })

  it('the lesser counts, if they were in flight at the same time', () => {
    const played = play()
    played.bucket.clock.advance(10)
    played.answer(said('"a";r=5;t=60', undefined, { sentAt: 0 }))
    played.bucket.clock.advance(10)
    played.answer(said('"a";r=9;t=60', undefined, { sentAt: 5 }))
    expect(left(played)).toBe(5)
  })

  it.each([
    [9, 5],
    [5, 5],
    [4, 4],
  ])('that to an older request may only lower: %i beside 5 makes %i', (available, expected) => {
    const played = play()
    played.answer(said('"a";r=5;t=60', undefined, { sequence: 4 }))
    played.answer(said(`"a";r=${available};t=60`, undefined, { sequence: 3 }))
    expect(left(played)).toBe(expected)
  })

  it('one that names no limits is not the newest', () => {
    const played = play()
    played.answer(said('"a";r=5;t=60', undefined, { sequence: 1 }))
    played.answer({ sequence: 9 })
    played.answer(said('"a";r=8;t=60', undefined, { sequence: 3 }))
    expect(left(played)).toBe(8)
  })
})

describe('the snapshot', () => {
  it('shows policies, pace and quota, and is the same object until something changes', () => {
    const policies = '"daily";q=1000;w=86400, "burst";q=20;w=1'
    const played = after('"burst";r=15;t=1, "daily";r=900;t=36000', policies)
    const first = played.snapshot()
    expect(first).toMatchObject({
      policies: [{ name: 'daily' }, { name: 'burst', quota: 20, windowMs: 1000 }],
      quota: [
        { name: 'burst', available: 15, until: 1000 },
        { name: 'daily', available: 900, until: 600_000 },
      ],
      pace: { from: 'fields', ratePerSecond: 20, burst: 20 },
    })
    played.bucket.clock.advance(999)
    expect(played.snapshot()).toBe(first)
    played.bucket.clock.advance(1)
    expect(played.snapshot().quota).toMatchObject([{ name: 'daily' }])
    played.schedule(1)
    expect(played.snapshot().quota).toMatchObject([{ available: 899 }])
  })

  it('keeps 8 limits', () => {
    const list = (prefix: string): string => Array.from('01234', (one) => `"${prefix}${one}";r=5;t=60`).join()
    const played = after(list('a'))
    played.answer(said(list('b')))
    const names = played.snapshot().quota!.map(({ name }) => name)
    expect(names).toEqual(['a2', 'a3', 'a4', 'b0', 'b1', 'b2', 'b3', 'b4'])
  })
})

describe('reset', () => {
  it('forgets everything, and what was sent before says nothing any more', () => {
    const played = after('"a";r=1;t=60', TEN)
    played.schedule(1)
    played.hooks.reset!()
    expect(readyAt(played)).toBe(played.bucket.clock.now())
    expect(played.snapshot()).toEqual({ policies: [], quota: [] })
    played.answer(said('"a";r=1;t=60', TEN, { sequence: 1 }))
    expect(played.snapshot().quota).toEqual([])
    played.answer(said('"a";r=1;t=60', TEN, { sequence: 9 }))
    expect(played.snapshot().quota).toHaveLength(1)
  })
})

it('a bucket may be forgotten unless something has to wait', () => {
  const played = after('"a";r=1;t=60')
  expect(played.hooks.isIdle!(0)).toBe(true)
  played.schedule(1)
  expect(played.hooks.isIdle!(0)).toBe(false)
  expect(played.hooks.isIdle!(60_000)).toBe(true)
})
