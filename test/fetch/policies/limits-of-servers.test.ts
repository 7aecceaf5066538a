import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { composeRateLimitedFetch, rateLimitFields } from 'lull/fetch'
import { alignedWindow, bucket, slidingLog, type Limit } from '../../field/limits.ts'
import { createRandom } from '../../field/random.ts'
import { draftFields } from '../../field/servers.ts'

const servers: Record<string, (quota: number, windowMs: number) => Limit> = {
  tokenBucket: (quota, windowMs) => ({
    ...bucket((quota * 1000) / windowMs, quota),
    quota: () => quota,
    windowMs,
  }),
  alignedWindow: (quota, windowMs) => alignedWindow(quota, windowMs, 700),
  slidingLog,
}

/** Calls at these instants, with latencies of 10 to 300 ms; the first is refused. */
async function refusalsOf(limit: Limit, calls: readonly number[]) {
  const clock = createManualClock()
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))
  const random = createRandom(1)
  let requests = 0
  let refused = 0
  let settled = 0

  const f = composeRateLimitedFetch({
    clock,
    random,
    maxWaitMs: Infinity,
    policies: [rateLimitFields()],
    async fetch() {
      const isFirst = ++requests === 1
      await sleep(5 + random() * 145)
      const isServed = limit.waitMs(clock.now()) <= 0
      if (isServed) limit.take(clock.now())
      const isRefused = isFirst || !isServed
      if (isRefused && !isFirst) refused++
      const left = isRefused ? { ...limit, remaining: () => 0 } : limit
      const headers = draftFields()(left, clock.now())
      await sleep(5 + random() * 145)
      return new Response(null, { status: isRefused ? 429 : 200, headers })
    },
  })
  for (const at of calls) clock.after(at, () => void f('https://a.test/').then(() => settled++))
  for (let step = 0; settled < calls.length && step < 4000; step++) await clock.advanceAsync(50)
  expect(settled).toBe(calls.length)
  return refused
}

describe.each(Object.entries(servers))('a server with a %s', (_, server) => {
  it.each([
    [5, 3000, 60],
    [100, 10_000, 250],
  ])('of %i per %i ms refuses none of %i calls after a refusal and rest', async (quota, windowMs, count) => {
    const calls = [0, ...Array<number>(count).fill(7000 + windowMs)]
    expect(await refusalsOf(server(quota, windowMs), calls)).toBe(0)
  })
})
