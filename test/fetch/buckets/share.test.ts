import type { Policy, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, answersOf, callAll, endOf, paths, start, type Started } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

interface Sharing extends Started {
  /** What was posted. */
  posted: [key: string, untilWallMs: number][]
  /** As another tab does. */
  say: (key: string, untilWallMs: number) => void
}

/** A policy as a user writes it: closings are posted to other tabs, and theirs close the gate here. */
function startSharing(answers = '', options: RateLimitedFetchOptions = {}): Sharing {
  const listeners = new Set<Sharing['say']>()
  const posted: Sharing['posted'] = []
  const policy: Policy = (bucket) => {
    let isHearing = false
    function hear(key: string, untilWallMs: number): void {
      const waitMs = untilWallMs - bucket.clock.wall()
      if (key !== bucket.key || !(waitMs > 0)) return
      isHearing = true
      bucket.close(waitMs, 'shared')
      isHearing = false
    }
    listeners.add(hear)
    return {
      closed(until) {
        if (!isHearing) posted.push([bucket.key, bucket.clock.wall() + until - bucket.now()])
      },
      dispose: () => void listeners.delete(hear),
    }
  }
  const say: Sharing['say'] = (...said) => listeners.forEach((listener) => listener(...said))
  return { ...start({ policies: [policy], ...options }, answersOf(answers)), posted, say }
}

describe('a policy that shares closings between tabs', () => {
  it('posts each closing and each that puts it off, by the wall clock; nothing else', async () => {
    const started = startSharing('200 429/2 429/5 x 500', { maxRetries: 0 })
    started.clock.setWall(1_000_000)
    callAll(started, paths(5), post)
    await started.clock.advanceAsync(10)
    expect(started.posted).toEqual([
      [A, 1_000_010 + 2000],
      [A, 1_000_010 + 5000],
    ])
  })

  it('closes the gate by what another tab says; it opens with one probe', async () => {
    const started = startSharing()
    const { f, server, clock, events, say, posted } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    say(A, 3000)
    expect(f.snapshot(A)!.gate).toMatchObject({ open: false, until: 3000, source: 'shared' })
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(4000)
    expect(server.at()).toEqual([0, 3000, 3010, 3010])
    expect(calls.map(endOf)).toEqual(['200@3010', '200@3020', '200@3020'])
    expect(events.filter(({ type }) => type.startsWith('gate'))).toMatchObject([
      { type: 'gate-closed', source: 'shared', until: 3000, ms: 2990 },
      { type: 'gate-opened' },
      { type: 'gate-probe' },
    ])
    expect(posted).toEqual([])
  })

  it('what is sooner than what the server asks for changes nothing', async () => {
    const started = startSharing('429/5')
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    for (const until of [3000, 5009]) started.say(A, until)
    await started.clock.advanceAsync(6000)
    expect(started.server.at()).toEqual([0, 5010])
  })

  it.each([1e15, Infinity])('delays by maxGateMs at most, however late another says: %s', async (until) => {
    const started = startSharing('', { maxWaitMs: Infinity })
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    started.say(A, until)
    callAll(started, ['/1'])
    await started.clock.advanceAsync(700_000)
    expect(started.server.at()).toEqual([0, 600_010])
  })

  it.each([
    ['before our first refusal', '200 429', [0, 3010, 3520]],
    ['after it; the probe in flight is no part of it', '429 200 429', [0, 2000, 3010, 3520]],
  ])('is no refusal of our own, so the backoff takes no step: %s', async (_, answers, at) => {
    const started = startSharing(answers)
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    started.say(A, 2000)
    await started.clock.advanceAsync(3000)
    callAll(started, ['/1'])
    await started.clock.advanceAsync(3000)
    expect(started.server.at()).toEqual(at)
  })

  it.each([0, -5, NaN, -Infinity, undefined as unknown as number])(
    'close(%s) closes nothing, and leaves an open gate as wide as it is',
    async (waitMs) => {
      let close!: () => void
      const policy: Policy = (bucket) => {
        close = () => bucket.close(waitMs, 'shared')
        return {}
      }
      const started = start({ policies: [policy], pace: 'fixed' })
      callAll(started, ['/0'])
      close()
      expect(started.f.snapshot(A)).toMatchObject({ gate: { open: true }, window: Infinity })
      callAll(started, paths(20))
      expect(started.server.inFlight).toBe(21)
      await started.clock.advanceAsync(10)
    },
  )
})
