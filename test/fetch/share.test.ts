import type { Share } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany } from './fake-server.ts'
import { A, B, callAll, paths, start, statesOf, statusesOf, watch } from './start.ts'

const post: RequestInit = { method: 'POST' }
const failing = (): never => {
  throw new Error('no storage')
}

/** An adapter that notes what is told, and tells what it is told to. */
function createShare(): Share & {
  told: [string, number][]
  say: (key: string, untilWallMs: number) => void
  count: number
} {
  const listeners = new Set<(key: string, untilWallMs: number) => void>()
  const told: [string, number][] = []
  return {
    told,
    closed: (key, untilWallMs) => told.push([key, untilWallMs]),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    say: (key, untilWallMs) => listeners.forEach((listener) => listener(key, untilWallMs)),
    get count() {
      return listeners.size
    },
  }
}

describe('the share adapter, which can only delay', () => {
  it('R49 tells of each closing and of each that puts it off, by the wall; of nothing else', async () => {
    const share = createShare()
    const started = start({ share, maxRetries: 0 }, [
      200,
      tooMany(2),
      tooMany(1),
      tooMany(5),
      networkError(),
      500,
    ])
    started.clock.setWall(1_000_000)
    callAll(started, paths(6), post)
    await started.clock.advanceAsync(10)
    expect(share.told).toEqual([
      [A, 1_000_010 + 2000],
      [A, 1_000_010 + 5000],
    ])
  })

  it('R43 tells of no closing beyond maxGateMs', async () => {
    const share = createShare()
    const started = start({ share, maxGateMs: 10_000 }, [tooMany(3600)])
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    expect(share.told).toEqual([[A, 10_010]])
  })

  it('R41 what another tab tells closes the gate, which opens with one probe', async () => {
    const share = createShare()
    const started = start({ share })
    const { f, server, clock, events } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    share.say(A, 3000)
    expect(f.snapshot(A)!.gate).toMatchObject({ open: false, until: 3000, source: 'shared' })
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(4000)
    expect(server.at()).toEqual([0, 3000, 3010, 3010])
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(events.filter(({ type }) => type.startsWith('gate'))).toMatchObject([
      { type: 'gate-closed', source: 'shared', until: 3000, ms: 2990 },
      { type: 'gate-opened' },
      { type: 'gate-probe' },
    ])
    expect(share.told).toEqual([])
  })

  it('R51 delays only: what is sooner, past or nonsense changes nothing', async () => {
    const share = createShare()
    const started = start({ share }, [tooMany(5)])
    const { server, clock, f } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    for (const until of [3000, 0, -1, NaN, -Infinity, 5009, undefined as unknown as number])
      share.say(A, until)
    expect(f.snapshot(A)!.gate.until).toBe(5010)
    await clock.advanceAsync(6000)
    expect(server.at()).toEqual([0, 5010])
    for (const until of [3000, 5500, 0, -1, NaN, -Infinity]) share.say(A, until)
    expect(f.snapshot(A)!.gate.open).toBe(true)
    callAll(started, paths(3))
    expect(server.inFlight).toBe(3)
    await clock.advanceAsync(10)
  })

  it.each([1e15, Infinity])('R142 delays by maxGateMs at most, however late it says: %s', async (until) => {
    const share = createShare()
    const started = start({ share, maxWaitMs: Infinity })
    const { server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    share.say(A, until)
    callAll(started, ['/1'])
    await clock.advanceAsync(600_000)
    expect(server.at()).toEqual([0, 600_010])
    await clock.advanceAsync(10)
  })

  it('R42 calls that would wait too long for it are refused', async () => {
    const share = createShare()
    const started = start({ share, concurrency: 1 })
    const calls = callAll(started, paths(2))
    share.say(A, 100_000)
    await started.clock.advanceAsync(0)
    expect(statesOf(calls)).toEqual(['pending', 'rejected'])
    await started.clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200, undefined])
  })

  it('R54 is no step of the backoff before the first throttle of our own', async () => {
    const share = createShare()
    const started = start({ share }, [200, tooMany()])
    const { server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    share.say(A, 2000)
    await clock.advanceAsync(3000)
    callAll(started, ['/1'])
    await clock.advanceAsync(3000)
    expect(server.at()).toEqual([0, 3010, 3520])
  })

  it('R151 an adapter that fails costs no call anything if nobody hears of it', async () => {
    const started = start({ share: { ...createShare(), closed: failing }, onEvent: undefined }, [tooMany(1)])
    const calls = callAll(started, ['/'])
    await started.clock.advanceAsync(2000)
    expect(statusesOf(calls)).toEqual([200])
  })

  it('R54 is no throttle of our own: the backoff does not step, and the probe in flight is not one of it', async () => {
    const share = createShare()
    const started = start({ share }, [tooMany(), 200, tooMany()])
    const { server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    share.say(A, 2000)
    await clock.advanceAsync(3000)
    callAll(started, ['/1'])
    await clock.advanceAsync(3000)
    expect(server.at()).toEqual([0, 2000, 3010, 3520])
  })

  it('R133 is heard from the first bucket on, and no longer than the fetch lives', async () => {
    const share = createShare()
    const started = start({ share })
    expect(share.count).toBe(0)
    callAll(started, ['/'])
    callAll(started, ['/'])
    void watch(started.f(`${B}/`), started.clock)
    expect(share.count).toBe(1)
    started.f.dispose()
    expect(share.count).toBe(0)
    await started.clock.advanceAsync(10)
  })

  it('R80 is not heard by a fetch that was disposed of before it was used', () => {
    const share = createShare()
    const { f } = start({ share })
    f.dispose()
    f.pause('key')
    f.resume('key')
    expect(share.count).toBe(0)
  })

  it.each<[string, Share]>([
    ['closed', { closed: failing, subscribe: () => () => undefined }],
    ['subscribe', { closed: () => undefined, subscribe: failing }],
  ])('R149 an adapter whose %s throws costs no call', async (_, share) => {
    const started = start({ share }, [tooMany(1)])
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(5000)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(started.events.filter(({ type }) => type === 'share-error')).toMatchObject([
      { error: { message: 'no storage' } },
    ])
  })

  it('R59 R142 what other tabs tell of 10,000 keys makes no more than maxBuckets', async () => {
    const share = createShare()
    const started = start({ share, maxBuckets: 10 })
    callAll(started, ['/'])
    for (let index = 0; index < 10_000; index++) share.say(`https://o${index}.test`, 1000)
    expect(Object.keys(started.f.snapshot().buckets).length).toBeLessThanOrEqual(10)
    await started.clock.advanceAsync(10)
  })

  it('R150 reset forgets what other tabs have told, and what the server has asked for', async () => {
    const share = createShare()
    const started = start({ share }, [
      {
        status: 429,
        headers: { 'retry-after': '30', ratelimit: '"a";r=2;t=60', 'ratelimit-policy': '"a";q=9;w=60' },
      },
    ])
    const { f, clock } = started
    callAll(started, ['/'], post)
    await clock.advanceAsync(10)
    share.say(A, 50_000)
    expect(f.snapshot(A)).toMatchObject({
      gate: { until: 50_000 },
      quota: [{ name: 'a' }],
      policies: [{ name: 'a' }],
    })
    f.reset()
    expect(f.snapshot(A)).toMatchObject({ gate: { open: true }, quota: [], policies: [], pace: undefined })
  })
})
