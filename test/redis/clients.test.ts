import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import {
  fixedWindow,
  slidingWindowLog,
  tokenBucket,
  withGlide,
  withIoredis,
  withNodeRedis,
  withUpstash,
  type RunScript,
} from 'lull/redis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCluster } from './servers/cluster.ts'
import { startLimits } from './servers/limits.ts'

const { server, client: admin, limit } = await startLimits()

const rule = tokenBucket({ ratePerSecond: 0.001, burst: 3 })

/** Expects a limit of three to hold when the server's scripts are flushed after each call. */
async function expectLimit(run: RunScript, forget: () => Promise<unknown>): Promise<void> {
  const limiter = limit(rule, { run })
  const decisions: boolean[] = []
  for (let index = 0; index < 5; index++) {
    decisions.push(await limiter.allow('{key} of mine'))
    await forget()
  }
  expect(limiter.snapshot().outages).toBe(0)
  expect(decisions).toEqual([true, true, true, false, false])
}

/** Parses a reply as Upstash's client does: text that looks like a number becomes one. */
function parse(reply: unknown): unknown {
  try {
    return JSON.parse(String(reply))
  } catch {
    return reply
  }
}
const inner = server.connect()

const connections: Record<string, () => RunScript | Promise<RunScript>> = {
  ioredis: () => withIoredis(server.connect()),
  'ioredis by RESP3': () => withIoredis(server.connect({ protocol: 3 })),
  'node-redis': async () => withNodeRedis(await server.connectNodeRedis()),
  // Called as their documentation shows.
  Upstash: () =>
    withUpstash({
      evalsha: async (sha1: string, keys: string[], args: string[]) =>
        parse(await inner.evalsha(sha1, keys.length, ...keys, ...args)),
      eval: async (lua: string, keys: string[], args: string[]) =>
        parse(await inner.eval(lua, keys.length, ...keys, ...args)),
    }),
  'valkey-glide, by customCommand': () =>
    withGlide({ customCommand: ([command, ...args]) => inner.call(command!, ...args) }),
}

it.each(Object.entries(connections))('%s limits with any scripts on the server', async (_, connect) => {
  await expectLimit(await connect(), () => admin.script('FLUSH'))
})

it('sends the script text once, then its SHA-1', async () => {
  await admin.script('FLUSH')
  const client = server.connect()
  const sent = vi.spyOn(client, 'eval')
  const limiter = limit(rule, { run: withIoredis(client) })
  for (const key of ['a', 'b', 'c']) expect(await limiter.allow(key)).toBe(true)
  expect(sent).toHaveBeenCalledTimes(1)
})

it('recognises NOSCRIPT anywhere in the message, and no other error', async () => {
  const script = { lua: 'return 1', sha1: 'sha' }
  for (const message of [
    'NOSCRIPT No matching script',
    'ERR NOSCRIPT none',
    'ReplyError: ERR user_script: NOSCRIPT',
    // valkey-glide 2.
    'An error was signalled by the server: - NoScriptError: No matching script. Please use EVAL.',
  ]) {
    const client = {
      evalsha: vi.fn(() => Promise.reject(new Error(message))),
      eval: vi.fn(() => Promise.resolve('1')),
    }
    expect(await withIoredis(client)(script, ['k'], ['a'])).toBe('1')
    expect(client.eval).toHaveBeenCalledWith('return 1', 1, 'k', 'a')
  }
  for (const error of [new Error('READONLY'), undefined, 'text']) {
    const client = {
      // A client may reject with any value.
      evalsha: vi.fn().mockRejectedValue(error),
      eval: vi.fn(),
    }
    await expect(withIoredis(client)(script, [], [])).rejects.toBe(error)
    expect(client.eval).not.toHaveBeenCalled()
  }
})

describe('a cluster of three masters', async () => {
  const nodes = await startCluster(3)
  const ports = nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
  const admins = nodes.map((node) => node.connect())
  const flush = (): Promise<unknown> => Promise.all(admins.map((client) => client.script('FLUSH')))

  function connectIoredis(): RunScript {
    const cluster = new Cluster(ports)
    onTestFinished(() => cluster.disconnect())
    return withIoredis(cluster)
  }
  async function connectNodeCluster(): Promise<RunScript> {
    const cluster = createCluster({ rootNodes: ports.map((socket) => ({ socket })) })
    cluster.on('error', () => undefined)
    await cluster.connect()
    onTestFinished(() => cluster.destroy())
    return withNodeRedis(cluster)
  }

  const clusters = { ioredis: connectIoredis, 'node-redis': connectNodeCluster }
  it.each(Object.entries(clusters))('spreads the limits over all masters with %s', async (_, connect) => {
    const run = await connect()
    // Windows are aligned to 1970: this one ends in 2286.
    const window = fixedWindow({ limit: 3, windowMs: 1e13 })
    for (const each of [rule, window, slidingWindowLog({ limit: 3, windowMs: 1e6 })]) {
      const limiter = limit(each, { run })
      const keys = Array.from({ length: 60 }, (_, index) => `user ${index}`)
      for (let round = 0; round < 4; round++) {
        const decisions = await Promise.all(keys.map((key) => limiter.allow(key)))
        expect(decisions.every((allowed) => allowed === round < 3)).toBe(true)
        await flush()
      }
      expect(limiter.snapshot().outages).toBe(0)
    }
    const sizes = await Promise.all(admins.map((client) => client.dbsize()))
    for (const size of sizes) expect(size).toBeGreaterThan(10)
  })

  it('keeps the limits with one hash tag on one master', async () => {
    const limiter = limit(rule, { run: connectIoredis(), prefix: 'tagged:' })
    for (let index = 0; index < 20; index++) await limiter.allow(`{ada}:${index}`)
    expect(limiter.snapshot().outages).toBe(0)
    const counts = await Promise.all(admins.map(async (client) => (await client.keys('tagged:*')).length))
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 20])
  })
})
