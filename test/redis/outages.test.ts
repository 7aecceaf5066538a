import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKeyedLimiter, tokenBucket as localBucket } from 'lull/core'
import {
  createRedisLimiter,
  tokenBucket,
  withIoredis,
  withNodeRedis,
  type RedisLimiter,
  type RedisLimiterEvent,
  type RedisLimiterOptions,
  type RunScript,
} from 'lull/redis'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../core/time/clocks.ts'
import { startServer, type RedisServer } from './servers/server.ts'
import { throwing } from '../core/shared/throwing.ts'

/*
 * Real servers that fail, in real time: the tests assert that each decision arrives, and its value. They
 * compare its time with timers of the same process, so that a busy machine causes no failure.
 */

const rule = tokenBucket({ ratePerSecond: 0.001, burst: 1000 })

function start(run: RunScript, options?: Partial<RedisLimiterOptions>) {
  const events: RedisLimiterEvent[] = []
  const limiter = createRedisLimiter(rule, {
    run,
    timeoutMs: 200,
    onOutage: 'closed',
    onEvent: (event) => void events.push(event),
    ...options,
  })
  return { limiter, events }
}

const clients: Record<string, (server: RedisServer) => Promise<RunScript>> = {
  // Uses its offline queue, which keeps commands while the server is away.
  ioredis: (server) => Promise.resolve(withIoredis(server.connect())),
  'ioredis without a queue': async (server) => {
    const client = server.connect({ enableOfflineQueue: false, retryStrategy: () => 50 })
    await once(client, 'ready')
    return withIoredis(client)
  },
  'node-redis': async (server) => withNodeRedis(await server.connectNodeRedis()),
}

/**
 * Returns the decision, which must come within the limit. Timers of one process run in the order of their times, however busy it is:
 * the limiter's two, of `limitMs` and of one turn more, come before these.
 */
async function decideInTime(limiter: RedisLimiter, limitMs: number): Promise<boolean> {
  let isDone = false
  let isLate = false
  const deciding = limiter.decide('key')
  setTimeout(() => setTimeout(() => (isLate = !isDone), 5).unref(), limitMs + 5).unref()
  const { allowed } = await deciding
  isDone = true
  expect(isLate).toBe(false)
  return allowed
}

/** Decides until Redis responds again. */
async function untilRecovered({ limiter, events }: ReturnType<typeof start>): Promise<void> {
  while (!events.some(({ type }) => type === 'recovered')) {
    await limiter.decide('key')
    await sleep(5)
  }
  // From here on the server decides.
  events.length = 0
  expect(await limiter.allow('key')).toBe(true)
  expect(events).toEqual([])
}

async function startWithServer(makeRun = clients['ioredis']!) {
  const server = await startServer()
  const started = start(await makeRun(server))
  expect(await started.limiter.allow('key')).toBe(true)
  return { server, started, ...started }
}

describe.each(Object.entries(clients))('by %s', (_, makeRun) => {
  it('decides in time by the policy while a server killed under load is down, then by the server again', async () => {
    const { server, started, limiter, events } = await startWithServer(makeRun)
    const decisions = Array.from({ length: 50 }, () => decideInTime(limiter, 200))
    await server.kill()
    for (let round = 0; round < 20; round++) decisions.push(decideInTime(limiter, 200))
    const allowed = (await Promise.all(decisions)).filter(Boolean).length
    const outages = events.filter(({ type }) => type === 'outage')
    expect(allowed + outages.length).toBe(70)
    expect(outages.length).toBeGreaterThanOrEqual(20)
    await server.start()
    await untilRecovered(started)
  })

  it('decides in time by the policy while the server is stopped, then by the server again', async () => {
    const { server, started, limiter, events } = await startWithServer(makeRun)
    server.freeze()
    for (let round = 0; round < 6; round++) expect(await decideInTime(limiter, 200)).toBe(false)
    expect(events.filter(({ type }) => type === 'outage')).toHaveLength(6)
    server.thaw()
    await untilRecovered(started)
  })
})

it('decides when the server never existed', async () => {
  const server = await startServer()
  await server.kill()
  const started = start(withIoredis(server.connect()), { onOutage: 'open' })
  for (let round = 0; round < 10; round++) expect(await decideInTime(started.limiter, 200)).toBe(true)
  await server.start()
  await untilRecovered(started)
})

it('sees no outage when the server is flushed or loses its scripts', async () => {
  const { server, limiter, events } = await startWithServer()
  const admin = server.connect()
  const decisions: Promise<boolean>[] = []
  for (let round = 0; round < 20; round++) {
    for (let index = 0; index < 10; index++) decisions.push(limiter.allow('key'))
    await (round % 2 ? admin.flushall() : admin.script('FLUSH'))
  }
  expect((await Promise.all(decisions)).every(Boolean)).toBe(true)
  expect(events).toEqual([])
})

it('treats a read-only server as an outage until it is writable again', async () => {
  const { server, started, limiter, events } = await startWithServer()
  const master = await startServer(['--repl-diskless-sync-delay', '0'])
  const admin = server.connect()
  await admin.replicaof('127.0.0.1', master.port)
  expect(await limiter.allow('key')).toBe(false)
  expect(String((events[0] as { error?: unknown }).error)).toContain('READONLY')
  for (let round = 0; round < 20; round++) expect(await limiter.allow('key')).toBe(false)
  await admin.replicaof('NO', 'ONE')
  await untilRecovered(started)
})

it('treats a server out of memory as an outage', async () => {
  const { server, limiter, events } = await startWithServer()
  const admin = server.connect()
  await admin.config('SET', 'maxmemory', '1')
  expect(await limiter.allow('key')).toBe(false)
  expect(String((events[0] as { error?: unknown }).error)).toContain('OOM')
})

describe('the outage policy', () => {
  const down: RunScript = () => Promise.reject(new Error('down'))

  it.each([
    ['open', true],
    ['closed', false],
  ] as const)('%s decides so, and says so in an event', async (onOutage, allowed) => {
    const { limiter, events } = start(down, { onOutage })
    const decision = await limiter.decide('key', 2)
    expect(decision.allowed).toBe(allowed)
    // A refusal never returns 0.
    expect(decision.retryAfterMs > 0).toBe(!allowed)
    // An allowed call does not read in `RateLimit` that nothing is left.
    expect(decision.remaining).toBe(allowed ? 1000 : 0)
    const outage = { type: 'outage', key: 'key', cost: 2, allowed, error: new Error('down') }
    expect(events[0]).toMatchObject(outage)
    expect(events.length).toBe(allowed ? 1 : 2)
    const counts = { allowed: Number(allowed), denied: Number(!allowed) }
    expect(limiter.snapshot()).toMatchObject({ outages: 1, ...counts })
  })

  it('decides by a share of the limit with a keyed limiter, so that n processes do not allow n limits', async () => {
    const processes = Array.from({ length: 4 }, () =>
      start(down, { onOutage: createKeyedLimiter(localBucket({ ratePerSecond: 0.001 / 4, burst: 20 / 4 })) }),
    )
    let passed = 0
    for (const { limiter } of processes)
      for (let index = 0; index < 20; index++) if (await limiter.allow('key')) passed++
    expect(passed).toBe(20)
    expect(await processes[0]!.limiter.peek('other')).toMatchObject({ allowed: true, remaining: 5 })
  })

  it('also decides when run throws or never settles, and leaves no timer', async () => {
    const clock = createTestClock()
    const { limiter } = start(throwing(new Error('thrown')), { clock })
    expect(await limiter.allow('key')).toBe(false)
    const hanging = start(() => new Promise(() => undefined), { clock })
    const pending = hanging.limiter.allow('key')
    await clock.advanceAsync(199)
    expect(hanging.events).toEqual([])
    await clock.advanceAsync(1)
    expect(await pending).toBe(false)
  })

  it('ignores a late reply and a late error', async () => {
    const clock = createManualClock()
    let settle!: { resolve: (reply: string) => void; reject: (error: Error) => void }
    const run = (): Promise<string> => new Promise((resolve, reject) => (settle = { resolve, reject }))
    const { limiter } = start(run, { clock })
    for (const end of [() => settle.resolve('5'), () => settle.reject(new Error('late'))]) {
      const pending = limiter.allow('key')
      await clock.advanceAsync(200)
      expect(await pending).toBe(false)
      end()
    }
    expect(limiter.snapshot()).toMatchObject({ outages: 2, allowed: 0, denied: 2 })
  })

  it('stops sending after five failures in a row, except one attempt at a time', async () => {
    const clock = createManualClock()
    let isDown = true
    const run = vi.fn<RunScript>(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve('7')))
    const { limiter, events } = start(run, { clock })
    for (let index = 0; index < 5; index++) await limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(5)
    expect(limiter.snapshot().isDown).toBe(true)
    for (let index = 0; index < 100; index++) await limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(5)
    // Limiters with the same `run` share this state.
    const other = start(run, { clock })
    await other.limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(5)
    clock.advance(400)
    await Promise.all(Array.from({ length: 10 }, () => limiter.allow('key')))
    expect(run).toHaveBeenCalledTimes(6)
    clock.advance(400)
    isDown = false
    expect(await Promise.all([limiter.allow('key'), limiter.allow('key')])).toEqual([true, false])
    expect(events.filter(({ type }) => type === 'recovered')).toHaveLength(1)
    expect(await other.limiter.allow('key')).toBe(true)
    expect(other.events.at(-1)).toMatchObject({ type: 'recovered' })
    expect(limiter.snapshot().isDown).toBe(false)
  })

  it('sends another probe after one that never ended, and whose timer never fired', async () => {
    const clock = createManualClock()
    const run = vi.fn<RunScript>(() => Promise.reject(new Error('down')))
    // In a Worker a cancelled request ends like this.
    const { limiter } = start(run, { clock: { ...clock, after: () => () => undefined } })
    for (let index = 0; index < 5; index++) await limiter.allow('key')
    clock.advance(200)
    run.mockImplementationOnce(() => new Promise(() => undefined))
    void limiter.allow('key')
    clock.advance(399)
    await limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(6)
    clock.advance(1)
    await limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(7)
  })

  it('returns the first decision after a late reply to the server', async () => {
    const clock = createTestClock()
    const settles: ((reply: string) => void)[] = []
    const run = vi.fn<RunScript>(() => new Promise((resolve) => settles.push(resolve)))
    const { limiter, events } = start(run, { clock })
    for (let index = 0; index < 5; index++) {
      const pending = limiter.allow('key')
      await clock.advanceAsync(200)
      expect(await pending).toBe(false)
    }
    expect(await limiter.allow('key')).toBe(false)
    expect(run).toHaveBeenCalledTimes(5)
    // The server is back and replies to the earlier calls.
    for (const settle of settles) settle('7')
    await Promise.resolve()
    const first = limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(6)
    settles[5]!('6')
    expect(await first).toBe(true)
    expect(limiter.snapshot().isDown).toBe(false)
    expect(events.filter(({ type }) => type === 'recovered')).toHaveLength(1)
  })

  it('does not count failures that are not in a row', async () => {
    let calls = 0
    const run = vi.fn<RunScript>(() =>
      calls++ % 4 ? Promise.reject(new Error('down')) : Promise.resolve('7'),
    )
    const { limiter } = start(run)
    for (let index = 0; index < 40; index++) await limiter.allow('key')
    expect(run).toHaveBeenCalledTimes(40)
    expect(limiter.snapshot()).toMatchObject({ allowed: 10, outages: 30, isDown: false })
  })

  it('does not apply when this process was busy while the reply arrived', async () => {
    const { limiter, events } = await startWithServer()
    const pending = limiter.allow('key')
    await sleep(0)
    const end = performance.now() + 300
    while (performance.now() < end);
    expect(await pending).toBe(true)
    expect(events).toEqual([])
  })
})
