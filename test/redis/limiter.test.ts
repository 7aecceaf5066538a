import { createHash } from 'node:crypto'
import { tokenBucket as localBucket } from 'lull/core'
import {
  createRedisLimiter,
  createSharedRate,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type RedisLimiterEvent,
  type RedisLimiterOptions,
  type RedisScript,
  type RunScript,
} from 'lull/redis'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { rulePairs } from './rules.ts'
import { serverMs, startLimits, tracked, withGivenTime } from './servers/limits.ts'
import { throwing } from '../core/shared/throwing.ts'

const { client, run: runOnServer, prefix: newPrefix, limit } = await startLimits()

const slow = tokenBucket({ ratePerSecond: 0.001, burst: 2 })

describe('the stored state', () => {
  it.each([
    ...rulePairs.map(({ name, shared }) => [name, shared] as const),
    ['tokenBucket of 2 ms', tokenBucket({ ratePerSecond: 1000, burst: 2 })] as const,
    ['fixedWindow of half a second', fixedWindow({ limit: 1, windowMs: 500 })] as const,
    ['fixedWindow for ever', fixedWindow({ limit: 1, windowMs: Infinity })] as const,
    ['slidingWindowLog of half a second', slidingWindowLog({ limit: 1, windowMs: 500 })] as const,
    ['slidingWindowCounter of a ms', slidingWindowCounter({ limit: 1, windowMs: 1 })] as const,
  ])('has a TTL, after each kind of call: %s', async (_, rule) => {
    const prefix = newPrefix()
    const limiter = limit(rule, { prefix })
    const acts = [
      () => limiter.allow('key'),
      () => limiter.peek('key'),
      () => limiter.allow('key', 1e9),
      () => limiter.allow('key', 0),
      () => limiter.giveBack('key', 1, 1),
      () => limiter.allow('key'),
      () => limiter.allow('key'),
      () => limiter.allow('other', 1e9),
      () => limiter.giveBack('third', 1, 1),
    ]
    for (const act of acts) {
      await act()
      for (const name of await client.keys(`${prefix}*`)) {
        const ttl = await client.pttl(name)
        // -2: the key has already expired.
        expect(ttl === -2 || (ttl > 0 && ttl <= 3e10 + 1000), `${name} lives ${ttl} ms`).toBe(true)
      }
    }
    expect(limiter.snapshot().outages).toBe(0)
  })

  it('expires when the limit is back to its initial state', async () => {
    const prefix = newPrefix()
    const limiter = limit(tokenBucket({ ratePerSecond: 10, burst: 20 }), { prefix })
    await limiter.allow('key', 5)
    // An empty bucket takes two seconds to fill, plus one second, twice at most.
    expect(await client.pttl(`${prefix}bucket:key`)).toBeLessThanOrEqual(6000)
    expect(await client.pttl(`${prefix}bucket:key`)).toBeGreaterThan(500)
    await limit(fixedWindow({ limit: 1, windowMs: 2000 }), { prefix }).allow('key')
    expect(await client.pttl(`${prefix}fixed:key`)).toBeLessThanOrEqual(6000)
  })

  it('is one key per limit, named in KEYS, for any key', async () => {
    const { run, calls } = tracked(runOnServer)
    const prefix = newPrefix()
    const keys = ['', 'a b', '{tag}:x', '}{', 'quo\'te"', 'ä€😀', '\n\0', 'x'.repeat(10_000), 'constructor']
    const limiter = limit(slow, { run, prefix })
    for (const key of keys) {
      expect(await limiter.decide(key)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 1 })
      expect(await limiter.decide(key)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
      expect(await limiter.allow(key)).toBe(false)
    }
    for (const [, names] of calls) expect(names).toHaveLength(1)
    expect((await client.keys(`${prefix}*`)).sort()).toEqual(
      keys.map((key) => `${prefix}bucket:${key}`).sort(),
    )
  })

  it('belongs to one rule: another rule with the same prefix and key reads none of it', async () => {
    const prefix = newPrefix()
    const rules = new Map(rulePairs.map(({ shared }) => [shared.name, shared]))
    for (const shared of rules.values()) {
      const limiter = limit(shared, { prefix })
      expect(await limiter.allow('key')).toBe(true)
      expect(limiter.snapshot().outages).toBe(0)
    }
  })

  it('is deleted by `delete`, with the cached refusals', async () => {
    const { run, calls } = tracked(runOnServer)
    const limiter = limit(slow, { run, cacheRefusals: 10 })
    await limiter.allow('key', 2)
    expect(await limiter.allow('key')).toBe(false)
    await limiter.delete('key')
    expect(await limiter.allow('key')).toBe(true)
    expect(calls).toHaveLength(4)
  })
})

describe('the protocol', () => {
  it('uses strings in both directions, for clients that reject numbers, and keeps fractions', async () => {
    const { run, calls } = tracked(runOnServer)
    let now = 1e12
    const limiter = limit(tokenBucket({ ratePerSecond: 1 / 3, burst: 3.99, initial: 3.99 }), {
      run: withGivenTime(run, () => now),
    })
    await limiter.allow('key', 3)
    now += 1
    // The bucket holds 0.99 and 1 / 3000.
    expect((await limiter.decide('key')).retryAfterMs).toBeCloseTo(29, 3)
    expect((await limiter.decide('key', 0.99)).allowed).toBe(true)
    for (const [script, names, args] of calls)
      for (const value of [script.lua, script.sha1, ...names, ...args]) expect(value).toBeTypeOf('string')
  })

  it('uses the SHA-1 that the server computes for the text', async () => {
    const scripts = new Map<string, RedisScript>(rulePairs.map(({ shared }) => [shared.name, shared.script]))
    const run: RunScript = (script) => Promise.resolve((scripts.set('shared', script), '1 1'))
    const rate = createSharedRate(
      { snapshot: () => ({ allowed: 0, denied: 0 }), configure: () => undefined },
      { run, group: 'group', member: 'member', ratePerSecond: 1 },
    )
    await rate[Symbol.asyncDispose]()
    expect(scripts.size).toBe(7)
    for (const [name, { lua, sha1 }] of scripts) {
      expect(sha1, name).toBe(createHash('sha1').update(lua).digest('hex'))
      expect(await client.script('LOAD', lua)).toBe(sha1)
    }
  })

  it('holds what remains at 0 where a take within the tolerance leaves less', async () => {
    const clock = createManualClock()
    for (const rule of [
      tokenBucket({ ratePerSecond: 1e10, burst: 1e9 }),
      gcra({ ratePerSecond: 1e10, burst: 1e9 }),
      leakyBucket({ ratePerSecond: 1e10, capacity: 1e9 }),
    ]) {
      const limiter = limit(rule, { time: 'client', clock, onOutage: 'closed' })
      expect(await limiter.decide('key', 1e9 - 1)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 1 })
      // The tolerance of a millionth of a ms is ten of these tokens.
      expect(await limiter.decide('key', 5)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
      expect(limiter.snapshot().outages).toBe(0)
    }
  })

  it('estimates the same part of a window before and after a taking moves it', async () => {
    const clock = createManualClock()
    clock.setWall(1e12)
    const limiter = limit(slidingWindowCounter({ limit: 20, windowMs: 100 }), { time: 'client', clock })
    expect(await limiter.allow('key', 20)).toBe(true)
    clock.advance(185)
    // 20 · (1 − 0.85) = 3
    expect(await limiter.allow('key', 18)).toBe(false)
    expect(await limiter.allow('key', 17)).toBe(true)
  })

  it('treats a malformed reply as an outage', async () => {
    for (const reply of [undefined, null, '', [], 'OK', -7, ['0', '1'], {}, 'nan nan']) {
      const events: RedisLimiterEvent[] = []
      const limiter = createRedisLimiter(slow, {
        run: () => Promise.resolve(reply),
        onOutage: 'closed',
        onEvent: (event) => void events.push(event),
      })
      expect(await limiter.allow('key')).toBe(false)
      expect(events[0]).toMatchObject({ type: 'outage', error: expect.any(TypeError) as unknown })
    }
  })
})

describe('the time', () => {
  it('is that of the server, whatever the client clocks read', async () => {
    const prefix = newPrefix()
    const [ahead, behind] = [createManualClock(1e13), createManualClock(0)].map((clock) =>
      limit(slow, { prefix, clock }),
    )
    expect([await ahead!.allow('key'), await behind!.allow('key')]).toEqual([true, true])
    expect([await ahead!.allow('key'), await behind!.allow('key')]).toEqual([false, false])
  })

  it('is read in ms, with fractions', async () => {
    const windowMs = 1e9
    const limiter = limit(fixedWindow({ limit: 1, windowMs }))
    await limiter.allow('key')
    const before = await serverMs(client)
    const { retryAfterMs } = await limiter.decide('key')
    const end = (Math.floor(before / windowMs) + 1) * windowMs
    expect(end - retryAfterMs).toBeGreaterThan(before)
    expect(end - retryAfterMs).toBeLessThan(await serverMs(client))
  })

  it('of differing client clocks grants nothing extra, and the client that is behind gets a longer wait', async () => {
    const prefix = newPrefix()
    const clocks = [createManualClock(), createManualClock()]
    clocks.forEach((clock, index) => clock.setWall(1e12 + index * 60_000))
    const [behind, ahead] = clocks.map((clock) =>
      limit(tokenBucket({ ratePerSecond: 0.1, burst: 3 }), { prefix, time: 'client', clock }),
    )
    let passed = 0
    for (let index = 0; index < 50; index++)
      for (const limiter of [ahead!, behind!]) if (await limiter.allow('key')) passed++
    expect(passed).toBe(3)
    expect((await ahead!.decide('key')).retryAfterMs).toBe(10_000)
    expect((await behind!.decide('key')).retryAfterMs).toBe(70_000)
    for (const clock of clocks) clock.advance(10_000)
    expect((await ahead!.peek('key')).allowed).toBe(true)
    for (const clock of clocks) clock.advance(60_000)
    expect(await behind!.allow('key')).toBe(true)
  })
})

describe('refusals', () => {
  function start(options?: Partial<RedisLimiterOptions>) {
    const clock = createManualClock(1e12)
    const { run, calls } = tracked(runOnServer)
    const events: RedisLimiterEvent[] = []
    const all = {
      run: withGivenTime(run, () => clock.now()),
      prefix: newPrefix(),
      clock,
      onEvent: (event: RedisLimiterEvent) => void events.push(event),
      ...options,
    }
    return { clock, calls, events, all, limiter: createRedisLimiter(slow, all) }
  }

  it('are cached until a retry may succeed: a flood costs no round trip', async () => {
    const { clock, calls, events, limiter } = start()
    await limiter.allow('key', 2)
    const first = await limiter.decide('key')
    expect(first).toEqual({ allowed: false, retryAfterMs: 1_000_000, remaining: 0 })
    expect(calls).toHaveLength(2)
    clock.advance(10_000)
    for (let index = 0; index < 100; index++) expect(await limiter.allow('key')).toBe(false)
    expect(await limiter.decide('key')).toEqual({ ...first, retryAfterMs: 990_000 })
    expect(await limiter.peek('key')).toEqual({ ...first, retryAfterMs: 990_000 })
    expect(calls).toHaveLength(2)
    expect(events).toHaveLength(102)
    expect(events[101]).toEqual({ type: 'denied', key: 'key', cost: 1, at: 1e12 + 10_000 })
    expect(limiter.snapshot()).toMatchObject({ allowed: 1, denied: 102, outages: 0 })
    // Another cost may be allowed, and another key is.
    expect(await limiter.allow('key', 0)).toBe(true)
    expect(await limiter.allow('other')).toBe(true)
    expect(calls).toHaveLength(4)
  })

  it('are checked again when a retry may succeed, and after a minute', async () => {
    const { clock, calls, limiter } = start()
    await limiter.allow('key', 2)
    await limiter.allow('key')
    clock.advance(59_999)
    await limiter.allow('key')
    expect(calls).toHaveLength(2)
    clock.advance(1)
    await limiter.allow('key')
    expect(calls).toHaveLength(3)
    clock.advance(1_000_000 - 60_000)
    expect(await limiter.allow('key')).toBe(true)
  })

  it('of a peek are not cached: a bucket starts with its first decision', async () => {
    const { clock, all } = start()
    const limiter = createRedisLimiter(tokenBucket({ ratePerSecond: 0.001, burst: 2, initial: 0 }), all)
    for (const isAllowed of [false, true]) {
      expect((await limiter.peek('key')).allowed).toBe(isAllowed)
      expect(await limiter.allow('key')).toBe(isAllowed)
      clock.advance(1_000_000)
    }
  })

  it('are shared by limiters with the same `run`, and by no others', async () => {
    const { calls, limiter, all } = start()
    const same = createRedisLimiter(slow, all)
    const other = createRedisLimiter(slow, { ...all, run: (...call) => all.run(...call) })
    await limiter.allow('key', 2)
    await limiter.allow('key')
    expect(await same.allow('key')).toBe(false)
    expect(calls).toHaveLength(2)
    expect(await other.allow('key')).toBe(false)
    expect(calls).toHaveLength(3)
  })

  it('are forgotten when the key takes more', async () => {
    let now = 1e12
    const clock = { ...createManualClock(), now: () => now }
    const limiter = limit(tokenBucket({ ratePerSecond: 10, burst: 5 }), {
      cacheRefusals: 9,
      clock,
      run: withGivenTime(runOnServer, () => now),
    })
    await limiter.allow('key', 4)
    expect((await limiter.decide('key', 2)).retryAfterMs).toBeCloseTo(100, 6)
    await limiter.allow('key')
    expect(await limiter.decide('key', 2)).toMatchObject({ allowed: false, remaining: 0 })
    now += 100
    expect((await limiter.decide('key', 2)).retryAfterMs).toBeCloseTo(100, 6)
  })

  it('are bounded: the oldest is evicted', async () => {
    const { calls, limiter } = start({ cacheRefusals: 3 })
    const keys = ['a', 'b', 'c', 'd']
    for (const key of keys) {
      await limiter.allow(key, 2)
      await limiter.allow(key)
    }
    const before = calls.length
    for (const key of keys.slice(1)) await limiter.allow(key)
    expect(calls).toHaveLength(before)
    await limiter.allow('a')
    expect(calls).toHaveLength(before + 1)
  })

  it('are bounded for one key, too', async () => {
    const { calls, limiter } = start()
    const costs = Array.from({ length: 1000 }, (_, index) => 1 + index / 1000)
    await limiter.allow('key', 2)
    for (let round = 0; round < 2; round++) for (const cost of costs) await limiter.allow('key', cost)
    // Each is forgotten before it comes again.
    expect(calls).toHaveLength(2001)
    for (let call = 0; call < 5; call++) await limiter.allow('key', 1.999)
    expect(calls).toHaveLength(2001)
  })

  it('are not cached with cacheRefusals: 0', async () => {
    const { calls, limiter, all } = start({ cacheRefusals: 0 })
    const caching = createRedisLimiter(slow, { ...all, cacheRefusals: 1 })
    for (let index = 0; index < 3; index++) await caching.allow('key', 2)
    expect(calls).toHaveLength(2)
    for (let index = 0; index < 5; index++) await limiter.allow('key', 2)
    expect(calls).toHaveLength(7)
    // Nor does it evict those of another limiter.
    await caching.allow('key', 2)
    expect(calls).toHaveLength(7)
  })
})

describe('the limiter', () => {
  it('sends nothing on creation', async () => {
    const run = vi.fn<RunScript>(() => Promise.reject(new Error('down')))
    createRedisLimiter(slow, { run })
    await Promise.resolve()
    expect(run).not.toHaveBeenCalled()
  })

  it('shows its decisions in the snapshot, notifies subscribers, and stops on disposal', async () => {
    const limiter = limit(slow)
    const told = vi.fn()
    const first = limiter.snapshot()
    expect(first).toEqual({ ratePerSecond: 1e-3, burst: 2, allowed: 0, denied: 0, outages: 0, isDown: false })
    expect(limiter.snapshot()).toBe(first)
    const unsubscribe = limiter.subscribe(told)
    await limiter.peek('key')
    expect(limiter.snapshot()).toBe(first)
    expect(told).not.toHaveBeenCalled()
    const pending = limiter.allow('key')
    await Promise.all([limiter[Symbol.asyncDispose](), limiter[Symbol.asyncDispose]()])
    expect(await pending).toBe(true)
    expect(told).toHaveBeenCalledTimes(1)
    expect(limiter.snapshot()).toEqual({ ...first, allowed: 1 })
    unsubscribe()
    await limiter.allow('key')
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('reports an error thrown by an event handler, and still decides', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const limiter = limit(slow, { onEvent: throwing(new Error('mine')) })
    expect(await limiter.allow('key', 3)).toBe(false)
    expect(reported).toHaveBeenCalledWith(new Error('mine'))
  })

  it('throws on invalid options', () => {
    const run: RunScript = () => Promise.resolve('0 0')
    const make = (options: object) => () => createRedisLimiter(slow, { run, ...options })
    const withLocal = () => createRedisLimiter(localBucket({ ratePerSecond: 1, burst: 1 }) as never, { run })
    expect(withLocal).toThrow(TypeError)
    expect(withLocal).toThrow('a rule of lull/redis')
    for (const bad of [{ run: 'run' }, { onEvent: 5 }, { prefix: null }]) expect(make(bad)).toThrow(TypeError)
    const outOfRange = {
      timeoutMs: [0, NaN],
      cacheRefusals: [-1, NaN],
      onOutage: ['opne', null, {}],
      time: ['x'],
    }
    for (const [name, values] of Object.entries(outOfRange))
      for (const value of values) expect(make({ [name]: value })).toThrow(RangeError)
    for (const bad of [
      () => tokenBucket({ ratePerSecond: -1, burst: 1 }),
      () => tokenBucket({ ratePerSecond: 1, burst: NaN }),
      () => tokenBucket({ ratePerSecond: 1, burst: 1, initial: -1 }),
      () => gcra({ ratePerSecond: NaN, burst: 1 }),
      () => gcra({ ratePerSecond: 1, burst: -1 }),
      () => leakyBucket({ ratePerSecond: 1, capacity: -1 }),
      () => fixedWindow({ limit: -1, windowMs: 1 }),
      () => fixedWindow({ limit: 1, windowMs: 0 }),
      () => slidingWindowLog({ limit: -1, windowMs: 1 }),
      () => slidingWindowCounter({ limit: 1, windowMs: Infinity }),
    ])
      expect(bad).toThrow(RangeError)
    expect(() => leakyBucket({ ratePerSecond: 1, capacity: -1 })).toThrow('capacity')
  })

  it('rejects invalid keys and costs, and does not count them', async () => {
    const { run, calls } = tracked(runOnServer)
    const limiter = limit(slow, { run })
    for (const method of ['allow', 'decide', 'peek'] as const) {
      for (const bad of [null, '1', {}])
        await expect(limiter[method]('key', bad as never)).rejects.toBeInstanceOf(TypeError)
      for (const bad of [-1, NaN])
        await expect(limiter[method]('key', bad)).rejects.toBeInstanceOf(RangeError)
    }
    for (const method of ['allow', 'decide', 'peek', 'giveBack', 'delete'] as const)
      await expect(limiter[method](undefined as never, 1, 1)).rejects.toBeInstanceOf(TypeError)
    for (const bad of [null, '1', NaN, -1]) {
      const error = typeof bad === 'number' ? RangeError : TypeError
      await expect(limiter.giveBack('key', bad as never, 0)).rejects.toBeInstanceOf(error)
      await expect(limiter.giveBack('key', 1, bad as never)).rejects.toBeInstanceOf(error)
    }
    expect(calls).toEqual([])
    expect(limiter.snapshot()).toMatchObject({ allowed: 0, denied: 0 })
  })
})
