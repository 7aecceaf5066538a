import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { composeRateLimitedFetch, rateLimitFields } from 'lull/fetch'

type Decision = readonly [isServed: boolean, left: number, msUntilMore: number]
type Server = (quota: number, windowMs: number) => (now: number) => Decision

const tokenBucket: Server = (quota, windowMs) => {
  let tokens = quota
  let last = 0
  return (now) => {
    tokens = Math.min(quota, tokens + ((now - last) * quota) / windowMs)
    last = now
    const isServed = tokens >= 1
    if (isServed) tokens--
    return [isServed, Math.floor(tokens), ((quota - tokens) * windowMs) / quota]
  }
}

const alignedWindow: Server = (quota, windowMs) => {
  let index = -1
  let used = 0
  return (now) => {
    const next = Math.floor((now + 700) / windowMs)
    if (next !== index) used = 0
    index = next
    const isServed = used < quota
    if (isServed) used++
    return [isServed, quota - used, (index + 1) * windowMs - 700 - now]
  }
}

const slidingLog: Server = (quota, windowMs) => {
  let served: number[] = []
  return (now) => {
    served = served.filter((at) => at > now - windowMs)
    const isServed = served.length < quota
    if (isServed) served.push(now)
    return [isServed, quota - served.length, served[0]! + windowMs - now]
  }
}

const servers = { tokenBucket, alignedWindow, slidingLog }

/** Calls at those instants, with latencies of 10 to 300 ms; the first is refused. */
async function refusalsOf(server: Server, quota: number, windowMs: number, calls: readonly number[]) {
  const clock = createManualClock()
  const decide = server(quota, windowMs)
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))
  let state = 1
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
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
      const [isServed, left, ms] = decide(clock.now())
      const isRefused = isFirst || !isServed
      if (isRefused && !isFirst) refused++
      const seconds = Math.max(1, Math.ceil(ms / 1000))
      await sleep(5 + random() * 145)
      const headers = {
        'ratelimit-policy': `"default";q=${quota};w=${windowMs / 1000}`,
        ratelimit: `"default";r=${isRefused ? 0 : left};t=${seconds}`,
      }
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
  ])(
    'of %i per %i ms refuses nothing of a burst of %i after a refusal and a rest',
    async (quota, windowMs, count) => {
      const calls = [0, ...Array<number>(count).fill(7000 + windowMs)]
      expect(await refusalsOf(server, quota, windowMs, calls)).toBe(0)
    },
  )
})
