import { retryBudget, type FetchSnapshot } from 'lull/fetch'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, B, callAll, paths, start, tick, watch } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

describe('the snapshot', () => {
  it('tells what waits, sleeps and is in flight, the gate, the window and the limits', async () => {
    const started = start({ concurrency: 2, ratePerSecond: 8, burst: 4, random: () => 0.5 }, [500])
    const { f, clock } = started
    callAll(started, ['/asleep'])
    await clock.advanceAsync(10)
    callAll(started, paths(3))
    expect(f.snapshot(A)).toEqual({
      queued: 1,
      inFlight: 2,
      sleeping: 1,
      gate: { open: true, until: undefined, source: undefined, remainingMs: 0 },
      window: Infinity,
      limits: { ratePerSecond: 8, burst: 4, tokens: 1.08 },
      pace: undefined,
      policies: [],
      quota: [],
    })
    await clock.advanceAsync(2000)
    expect(f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
  })

  it('sums up the buckets, and shows the gate that opens last', async () => {
    const { f, clock } = start({}, [tooMany(1), tooMany(3), 200])
    expect(f.snapshot()).toEqual({
      queued: 0,
      inFlight: 0,
      sleeping: 0,
      gate: { open: true, until: undefined, source: undefined, remainingMs: 0 },
      window: Infinity,
      buckets: {},
    })
    const calls = [f(`${A}/`), f(`${B}/`), f('https://c.test/')]
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 3 })
    await clock.advanceAsync(10)
    const snapshot = f.snapshot()
    expect(snapshot).toMatchObject({ queued: 2, inFlight: 0, sleeping: 0, window: 1 })
    expect(snapshot.gate).toEqual({
      open: false,
      until: 3010,
      source: 'retry-after:delay',
      remainingMs: 3000,
    })
    expect(Object.keys(snapshot.buckets)).toEqual([A, B, 'https://c.test'])
    expect(snapshot.buckets[A]).toBe(f.snapshot(A))
    f.pause(A)
    expect(f.snapshot().gate).toEqual({
      open: false,
      until: undefined,
      source: 'manual',
      remainingMs: Infinity,
    })
    f.resume(A)
    await clock.advanceAsync(5000)
    await Promise.all(calls)
  })

  it('of a key that is not known is undefined', () => {
    const { f } = start()
    expect(f.snapshot(A)).toBeUndefined()
    expect(f.snapshot('toString')).toBeUndefined()
  })

  it('a bucket may have any name', async () => {
    const { f, clock } = start({ key: (request) => request.headers.get('key')! })
    const names = ['__proto__', 'constructor', 'null', '', 'toString']
    const calls = names.map((key) => f(`${A}/`, { headers: { key } }))
    expect(Object.keys(f.snapshot().buckets)).toEqual(names)
    for (const name of names) expect(f.snapshot(name)).toMatchObject({ inFlight: 1 })
    expect(f.snapshot().inFlight).toBe(names.length)
    await clock.advanceAsync(10)
    await Promise.all(calls)
  })

  it('cannot be changed', async () => {
    const started = start({ ratePerSecond: 1 }, [tooMany(1)])
    const { f, clock } = started
    callAll(started, paths(2), post)
    await clock.advanceAsync(10)
    const all = f.snapshot()
    const one = f.snapshot(A)!
    for (const part of [all, all.gate, all.buckets, one, one.gate, one.limits!]) {
      expect(Object.isFrozen(part)).toBe(true)
      for (const name of Object.keys(part)) expect(Reflect.set(part, name, 5)).toBe(false)
    }
    await clock.advanceAsync(5000)
  })

  it('is the same object as long as nothing has changed', async () => {
    const started = start({ ratePerSecond: 1, random: () => 0.5 }, [tooMany(5)])
    const { f, clock } = started
    const isSame = (change: () => unknown): boolean => {
      const before: [FetchSnapshot, unknown] = [f.snapshot(), f.snapshot(A)]
      change()
      return before[0] === f.snapshot() && before[1] === f.snapshot(A)
    }
    expect(isSame(() => undefined)).toBe(true)
    expect(isSame(() => callAll(started, ['/1'], post))).toBe(false)
    expect(isSame(() => undefined)).toBe(true)
    expect(isSame(() => clock.advance(9))).toBe(true)
    await clock.advanceAsync(1)
    expect(isSame(() => f.configure({ maxRetries: 5 }))).toBe(true)
    expect(isSame(() => clock.advance(1000))).toBe(true)
    expect(isSame(() => f.configure({ concurrency: 5 }))).toBe(true)
    expect(isSame(() => f.configure({ ratePerSecond: 2 }))).toBe(false)
    expect(isSame(() => f.pause(A))).toBe(false)
    expect(isSame(() => f.pause(A))).toBe(true)
    expect(isSame(() => f.resume(A))).toBe(false)
    // The gate opens, by time alone.
    expect(isSame(() => clock.advance(10_000))).toBe(false)
    expect(isSame(() => clock.advance(10_000))).toBe(true)
    expect(isSame(() => f.pause())).toBe(false)
    expect(isSame(() => f.resume())).toBe(false)
  })

  it('is the same object while time passes between two readings of it, as it does in earnest', async () => {
    const started = start({ ratePerSecond: 1, burst: 4, policies: [retryBudget()] }, [tooMany(5)])
    const { f, clock } = started
    callAll(started, ['/'], post)
    await clock.advanceAsync(10)
    const now = clock.now.bind(clock)
    let readings = 0
    const reading = vi.spyOn(clock, 'now').mockImplementation(() => now() + ++readings / 1024)
    onTestFinished(() => reading.mockRestore())
    const [all, one] = [f.snapshot(), f.snapshot(A)!]
    expect(f.snapshot(A)).toBe(one)
    expect(f.snapshot()).toBe(all)
    const read = [one.gate.remainingMs, one.limits!.tokens]
    expect(one.gate.remainingMs).not.toBe(read[0])
    expect(one.limits!.tokens).not.toBe(read[1])
    reading.mockRestore()
    await clock.advanceAsync(10_000)
  })

  it('its remainingMs is that of when it is read', async () => {
    const started = start({}, [tooMany(2)])
    const { f, clock } = started
    callAll(started, ['/'], post)
    await clock.advanceAsync(10)
    const { gate } = f.snapshot(A)!
    const ofAll = f.snapshot().gate
    for (const remainingMs of [2000, 1999, 1000]) {
      clock.advance(2010 - remainingMs - clock.now())
      expect([gate.remainingMs, ofAll.remainingMs]).toEqual([remainingMs, remainingMs])
    }
    clock.advance(5000)
    expect(gate.remainingMs).toBe(0)
    expect(f.snapshot(A)!.gate).toEqual({ open: true, until: undefined, remainingMs: 0 })
  })
})

describe('the subscription', () => {
  it('hears of every change, while it lasts', async () => {
    const { f, clock } = start({ concurrency: 1, random: () => 0.5 }, [200, 500])
    const seen: [number, number, number][] = []
    const look = (): void => {
      const { queued, inFlight, sleeping } = f.snapshot()
      const last = seen.at(-1)
      if (last?.join() !== [queued, inFlight, sleeping].join()) seen.push([queued, inFlight, sleeping])
    }
    const unsubscribe = f.subscribe(look)
    const calls = [f(`${A}/1`), f(`${A}/2`)]
    await clock.advanceAsync(500)
    await Promise.all(calls)
    // What is woken is sent one continuation later.
    expect(seen).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 0],
    ])
    unsubscribe()
    const after = f(`${A}/3`)
    await clock.advanceAsync(10)
    await after
    expect(seen).toHaveLength(9)
  })

  it('hears that a gate opens by time, though nobody waits at it', async () => {
    const started = start({}, [tooMany(1)])
    const { f, clock } = started
    const heard = new Set<string>()
    const unsubscribe = f.subscribe(() => heard.add(`${clock.now()} ${f.snapshot().gate.open}`))
    callAll(started, ['/'], post)
    await clock.advanceAsync(5000)
    expect([...heard]).toEqual(['0 true', '10 false', '1010 true'])
    unsubscribe()
  })

  it('hears it if it was subscribed when the gate was closed already', async () => {
    const started = start({}, [tooMany(1)])
    const { f, clock } = started
    callAll(started, ['/'], post)
    await clock.advanceAsync(500)
    const heard: number[] = []
    const unsubscribe = f.subscribe(() => heard.push(clock.now()))
    heard.length = 0
    await clock.advanceAsync(5000)
    expect(heard).toEqual([1010])
    unsubscribe()
  })

  it('unsubscribing twice takes nobody else away', async () => {
    const started = start({}, [tooMany(1)])
    const { f, clock } = started
    const unsubscribe = f.subscribe(() => undefined)
    unsubscribe()
    unsubscribe()
    const heard: number[] = []
    const unsubscribeOther = f.subscribe(() => heard.push(clock.now()))
    callAll(started, ['/'], post)
    await clock.advanceAsync(5000)
    expect(heard.at(-1)).toBe(1010)
    unsubscribeOther()
  })
})

describe('timers', () => {
  it('there is none at a closed gate where nobody waits; one while somebody does, or listens', async () => {
    const started = start({}, [tooMany(5)])
    const { f, clock } = started
    callAll(started, ['/'], post)
    await clock.advanceAsync(10)
    expect(clock.pending).toBe(0)

    const unsubscribe = [f.subscribe(() => undefined), f.subscribe(() => undefined)]
    expect(clock.pending).toBe(1)
    unsubscribe[0]!()
    expect(clock.pending).toBe(1)
    unsubscribe[1]!()
    expect(clock.pending).toBe(0)

    const controller = new AbortController()
    const waiting = watch(f(`${A}/`, { signal: controller.signal }), clock)
    expect(clock.pending).toBe(1)
    controller.abort()
    expect(clock.pending).toBe(0)
    await tick()
    expect(waiting.state).toBe('rejected')
  })
})
