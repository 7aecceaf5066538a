import { type FetchSnapshot } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { post, tooMany } from '../fixtures/fake-server.ts'
import { A, B, callAll, paths, play, start, tick } from '../fixtures/start.ts'
import { callAbortably } from '../fixtures/wrapped.ts'

const OPEN = { open: true, until: undefined, source: undefined, remainingMs: 0 }

/** A gate that closes at 10 ms. */
async function startClosed(seconds: number, options?: Parameters<typeof start>[0]) {
  const started = start(options, [tooMany(seconds)])
  await play(started, '/ +10', post)
  return started
}

describe('the snapshot', () => {
  it('shows queued, sleeping and in-flight calls, the gate, the window and the limits', async () => {
    const { f, clock } = start({ concurrency: 2, ratePerSecond: 8, burst: 4, random: () => 0.5 }, [500])
    await play({ f, clock }, '/asleep +10 *3')
    expect(f.snapshot(A)).toEqual({
      queued: 1,
      inFlight: 2,
      sleeping: 1,
      gate: OPEN,
      window: Infinity,
      limits: { ratePerSecond: 8, burst: 4, tokens: 1.08 },
      pace: undefined,
      policies: [],
      quota: [],
    })
    await clock.advanceAsync(2000)
    expect(f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
  })

  it('sums up the buckets, and shows the latest gate to open', async () => {
    const { f, clock } = start({}, [tooMany(1), tooMany(3), 200])
    const none = { queued: 0, inFlight: 0, sleeping: 0 }
    expect(f.snapshot()).toEqual({ ...none, gate: OPEN, window: Infinity, buckets: {} })
    for (const origin of [A, B, 'https://c.test']) void f(origin)
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 3 })
    await clock.advanceAsync(10)
    const snapshot = f.snapshot()
    const gate = { open: false, until: 3010, source: 'retry-after:delay', remainingMs: 3000 }
    expect(snapshot).toMatchObject({ queued: 2, inFlight: 0, sleeping: 0, window: 1, gate })
    expect(Object.keys(snapshot.buckets)).toEqual([A, B, 'https://c.test'])
    expect(snapshot.buckets[A]).toBe(f.snapshot(A))
    expect(f.snapshot().buckets).toBe(snapshot.buckets)
    f.pause(A)
    const paused = { open: false, until: undefined, source: 'manual', remainingMs: Infinity }
    expect(f.snapshot().gate).toEqual(paused)
    f.resume(A)
    await clock.advanceAsync(5000)
  })

  it('returns buckets with any name, and undefined for an unknown one', () => {
    const { f } = start({ key: (request) => request.headers.get('key')! })
    const names = ['__proto__', 'constructor', 'null', '', 'toString']
    for (const key of names) {
      f.resume(key)
      f.reset(key)
      expect(f.snapshot(key)).toBeUndefined()
      void f(A, { headers: { key } })
      expect(f.snapshot(key)).toMatchObject({ inFlight: 1 })
    }
    expect(Object.keys(f.snapshot().buckets)).toEqual(names)
    expect(f.snapshot().inFlight).toBe(names.length)
  })

  it('is frozen', async () => {
    const { f } = await startClosed(1, { ratePerSecond: 1 })
    const [all, one] = [f.snapshot(), f.snapshot(A)!]
    for (const part of [all, all.gate, all.buckets, one, one.gate, one.limits!]) {
      expect(Object.isFrozen(part)).toBe(true)
      for (const name of Object.keys(part)) expect(Reflect.set(part, name, 5)).toBe(false)
    }
  })

  it('is the same object until something changes', async () => {
    const { f, clock } = start({ ratePerSecond: 1, random: () => 0.5 }, [tooMany(5)])
    const isSame = async (change: () => unknown): Promise<boolean> => {
      const before: [FetchSnapshot, unknown] = [f.snapshot(), f.snapshot(A)]
      await change()
      return before[0] === f.snapshot() && before[1] === f.snapshot(A)
    }
    const steps: [change: () => unknown, is: boolean][] = [
      [() => undefined, true],
      [() => void callAll({ f, clock }, ['/1'], post), false],
      [() => clock.advance(9), true],
      [() => clock.advanceAsync(1), false],
      [() => f.configure({ maxRetries: 5 }), true],
      [() => clock.advance(1000), true],
      [() => f.configure({ concurrency: 5 }), true],
      [() => f.configure({ ratePerSecond: 2 }), false],
      [() => f.pause(A), false],
      [() => f.pause(A), true],
      [() => f.resume(A), false],
      // The gate opens by time alone.
      [() => clock.advance(10_000), false],
      [() => clock.advance(10_000), true],
      [() => f.resume(), true],
      [() => f.pause(), false],
      [() => f.pause(), true],
      [() => f.resume(), false],
    ]
    for (const [index, [change, is]] of steps.entries())
      expect([index, await isSame(change)]).toEqual([index, is])
  })

  it('shows the gate open at once, also if a bucket was forgotten while it was closed', async () => {
    const started = start({ maxBuckets: 2 }, ({ method }) => (method === 'POST' ? tooMany(5) : 200))
    await play(started, 'https://idle.test / +100000')
    started.f.snapshot()
    await play(started, `POST/ +10 ${B} +10000`)
    expect(started.f.snapshot().gate).toEqual(OPEN)
    expect(Object.keys(started.f.snapshot().buckets)).toEqual([A, B])
  })

  it('of one bucket shows the gate open at once, also if no other is read', async () => {
    const { f, clock } = await startClosed(2)
    for (const until of [2010, 2010, undefined]) {
      expect(f.snapshot(A)!.gate.until).toBe(until)
      clock.advance(1000)
    }
  })

  it('keeps its buckets as of the first reading', async () => {
    const { f, clock } = await startClosed(2)
    const old = f.snapshot()
    const { buckets } = old
    await clock.advanceAsync(5000)
    expect([old.buckets, { ...old }.buckets]).toEqual([buckets, buckets])
    expect(f.snapshot().buckets).not.toEqual(buckets)
  })

  it('computes remainingMs when it is read', async () => {
    const { f, clock } = await startClosed(2)
    const gates = [f.snapshot(A)!.gate, f.snapshot().gate]
    for (const remainingMs of [2000, 1999, 1000, 0]) {
      clock.advance(2010 - remainingMs - clock.now())
      expect(gates.map((gate) => gate.remainingMs)).toEqual([remainingMs, remainingMs])
    }
    expect(f.snapshot(A)!.gate).toEqual(OPEN)
  })
})

describe('a subscription', () => {
  it('notifies after every change until unsubscribed', async () => {
    const { f, clock } = start({ concurrency: 1, random: () => 0.5 }, [200, 500])
    const seen: string[] = []
    const unsubscribe = f.subscribe(() => {
      const { queued, inFlight, sleeping } = f.snapshot()
      const now = `${queued}${inFlight}${sleeping}`
      if (seen.at(-1) !== now) seen.push(now)
    })
    for (const path of paths(2)) void f(A + path)
    await clock.advanceAsync(500)
    // A woken call is sent one continuation later.
    expect(seen.join(' ')).toBe('010 110 100 010 001 100 010 000')
    unsubscribe()
    await play({ f, clock }, '/ +10')
    expect(seen).toHaveLength(8)
  })

  it('sets the only timer at a closed gate with no pending call', async () => {
    const { f, clock } = await startClosed(5)
    expect(clock.pending).toBe(0)
    const unsubscribe = [f.subscribe(() => undefined), f.subscribe(() => undefined)]
    expect(clock.pending).toBe(1)
    unsubscribe[0]!()
    expect(clock.pending).toBe(1)
    unsubscribe[1]!()
    expect(clock.pending).toBe(0)
    const { outcome, abort } = callAbortably({ f, clock })
    expect(clock.pending).toBe(1)
    abort()
    expect(clock.pending).toBe(0)
    await tick()
    expect(outcome.state).toBe('rejected')
  })
})
