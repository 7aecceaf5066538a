import type { Policy } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statusesOf } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

interface Channel {
  /** What was posted. */
  posted: [key: string, untilWallMs: number][]
  /** As another tab does. */
  say: (key: string, untilWallMs: number) => void
  /** Those who listen. */
  count: () => number
  policy: Policy
}

/** A policy as a user writes it: closings are posted to other tabs, and theirs close the gate here. */
function createChannel(): Channel {
  const listeners = new Set<(key: string, untilWallMs: number) => void>()
  const posted: [string, number][] = []
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
  const say = (key: string, untilWallMs: number): void =>
    [...listeners].forEach((listener) => listener(key, untilWallMs))
  return { posted, say, count: () => listeners.size, policy }
}

function startSharing(
  answers: Parameters<typeof start>[1] = [],
  options: Parameters<typeof start>[0] = {},
): ReturnType<typeof start> & { channel: Channel } {
  const channel = createChannel()
  return { ...start({ policies: [channel.policy], ...options }, answers), channel }
}

describe('a policy that shares closings between tabs', () => {
  it('posts each closing and each that puts it off, by the wall clock; nothing else', async () => {
    const started = startSharing([200, tooMany(2), tooMany(5), networkError(), 500], { maxRetries: 0 })
    started.clock.setWall(1_000_000)
    callAll(started, paths(5), post)
    await started.clock.advanceAsync(10)
    expect(started.channel.posted).toEqual([
      [A, 1_000_010 + 2000],
      [A, 1_000_010 + 5000],
    ])
  })

  it('closes the gate by what another tab says; it opens with one probe', async () => {
    const started = startSharing()
    const { f, server, clock, events, channel } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    channel.say(A, 3000)
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
    expect(channel.posted).toEqual([])
  })

  it('what is sooner than what the server asks for changes nothing', async () => {
    const started = startSharing([tooMany(5)])
    const { server, clock, f, channel } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    for (const until of [3000, 5009]) channel.say(A, until)
    expect(f.snapshot(A)!.gate.until).toBe(5010)
    await clock.advanceAsync(6000)
    expect(server.at()).toEqual([0, 5010])
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

  it.each([1e15, Infinity])('delays by maxGateMs at most, however late another says: %s', async (until) => {
    const started = startSharing([], { maxWaitMs: Infinity })
    const { server, clock, channel } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    channel.say(A, until)
    callAll(started, ['/1'])
    await clock.advanceAsync(600_000)
    expect(server.at()).toEqual([0, 600_010])
    await clock.advanceAsync(10)
  })

  it.each([
    ['before our first refusal', [200, tooMany()], [0, 3010, 3520]],
    ['after it; the probe in flight is no part of it', [tooMany(), 200, tooMany()], [0, 2000, 3010, 3520]],
  ] as const)('is no refusal of our own, so the backoff takes no step: %s', async (_, answers, at) => {
    const started = startSharing(answers)
    const { server, clock, channel } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    channel.say(A, 2000)
    await clock.advanceAsync(3000)
    callAll(started, ['/1'])
    await clock.advanceAsync(3000)
    expect(server.at()).toEqual(at)
  })
})
