import {
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  withIoredis,
} from 'lull/redis'
import { expect, it } from 'vitest'
import { serverMs, startLimits } from './servers/limits.ts'

const { server, limit } = await startLimits()

const rate = { ratePerSecond: 200, burst: 50 }
const window = { limit: 50, windowMs: 250 }
const rules = {
  tokenBucket: tokenBucket(rate),
  gcra: gcra(rate),
  leakyBucket: leakyBucket({ ratePerSecond: 200, capacity: 50 }),
  fixedWindow: fixedWindow(window),
  slidingWindowLog: slidingWindowLog(window),
  slidingWindowCounter: slidingWindowCounter(window),
}

/** By rule, the two server instants around each allowed call. */
const passed: Record<string, [from: number, to: number][]> = {}

/** Makes calls on a connection of its own for a second. Returns the number of outages. */
async function call(): Promise<number> {
  const client = server.connect()
  const limiters = Object.entries(rules).map(
    ([name, rule]) => [name, limit(rule, { run: withIoredis(client), prefix: '' })] as const,
  )
  const end = (await serverMs(client)) + 1000
  for (let now = 0; now < end;) {
    for (const [name, limiter] of limiters) {
      const before = await serverMs(client)
      const decisions = await Promise.all(Array.from({ length: 5 }, () => limiter.allow('shared')))
      now = await serverMs(client)
      for (const allowed of decisions) if (allowed) (passed[name] ??= []).push([before, now])
    }
  }
  return limiters.reduce((sum, [, limiter]) => sum + limiter.snapshot().outages, 0)
}

// A call counts as within a window only if it certainly passed within it.
const mostWithin = (name: string, ms: number): number =>
  Math.max(
    ...passed[name]!.map(
      ([from]) => passed[name]!.filter((other) => other[0] >= from && other[1] < from + ms).length,
    ),
  )

it('four clients with connections of their own share one limit and together pass only what the rule allows', async () => {
  expect(await Promise.all([call(), call(), call(), call()])).toEqual([0, 0, 0, 0])
  for (const name of Object.keys(rules)) expect(passed[name]!.length, name).toBeGreaterThanOrEqual(50)
  for (const name of ['tokenBucket', 'gcra', 'leakyBucket'])
    for (const ms of [1, 50, 250, 1000]) expect(mostWithin(name, ms), name).toBeLessThanOrEqual(50 + 0.2 * ms)
  expect(mostWithin('slidingWindowLog', 250)).toBeLessThanOrEqual(50)
  expect(mostWithin('slidingWindowCounter', 250)).toBeLessThanOrEqual(100)
  const windows = new Map<number, number>()
  for (const [from, to] of passed['fixedWindow']!) {
    const index = Math.floor(from / 250)
    if (Math.floor(to / 250) === index) windows.set(index, (windows.get(index) ?? 0) + 1)
  }
  for (const count of windows.values()) expect(count).toBeLessThanOrEqual(50)
})
