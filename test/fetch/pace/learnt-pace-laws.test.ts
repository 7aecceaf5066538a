import fc from 'fast-check'
import { createRateLimitedFetch, type PaceSnapshot, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { bucket, pausing, type Limit } from '../../field/limits.ts'
import { tries } from '../../laws/tries.ts'
import { createFakeServer, type Answer, type FakeServer } from '../fixtures/fake-server.ts'
import { A, paths, watch } from '../fixtures/start.ts'

interface Race {
  server: FakeServer
  /** Its estimates, one for each change. */
  paces: PaceSnapshot[]
  statuses: (number | undefined)[]
}

/** Makes `count` calls at once, and again after `restMs`; the server responds after `latencies`, in turn. */
async function race(
  { waitMs, take, refused }: Limit,
  { count = 100, latencies = [10], restMs = 0, ...options }: RateLimitedFetchOptions & RaceOptions,
  headersOf: (waitMs: number) => Record<string, string> = retryAfter,
): Promise<Race> {
  const clock = createManualClock()
  const server = createFakeServer(clock, ({ at }, index): Answer => {
    const ms = waitMs(at)
    ;(ms > 0 ? refused : take)?.(at)
    return {
      status: ms > 0 ? 429 : 200,
      headers: headersOf(ms),
      latencyMs: latencies[index % latencies.length]!,
    }
  })
  const paces: PaceSnapshot[] = []
  const f = createRateLimitedFetch({
    fetch: server.fetch,
    clock,
    maxRetries: Infinity,
    maxWaitMs: Infinity,
    maxQueue: Infinity,
    onEvent() {
      const pace = f.snapshot(A)?.pace
      if (pace) paces.push(pace)
    },
    ...options,
  })
  const half = Math.ceil(count / 2)
  const calls = paths(restMs > 0 ? half : count).map((path) => watch(f(A + path), clock))
  await clock.advanceAsync(restMs)
  if (restMs > 0) calls.push(...paths(count - half).map((path) => watch(f(A + path), clock)))
  await clock.advanceAsync(100_000_000)
  expect(clock.pending).toBe(0)
  return { server, paces, statuses: calls.map(({ response }) => response?.status) }
}

interface RaceOptions {
  count?: number
  latencies?: readonly number[]
  restMs?: number
}

function retryAfter(waitMs: number): Record<string, string> {
  return waitMs > 0 ? { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) } : {}
}

const conditions = fc.record({
  count: fc.constantFrom(30, 100, 200),
  latencies: fc.array(fc.oneof(fc.constant(10), fc.nat(100), fc.nat(1000)), { minLength: 1, maxLength: 6 }),
  restMs: fc.constantFrom(0, 0, 3000, 60_000),
  random: fc.constantFrom(0, 0.5, 0.999).map((drawn) => () => drawn),
})

/** The invariants for any server. */
function expectSound({ server, paces, statuses }: Race): void {
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(server.early).toEqual([])
  for (const { ratePerSecond, burst } of paces) {
    expect(ratePerSecond > 0 && ratePerSecond < Infinity).toBe(true)
    expect(burst >= 1 && burst < Infinity).toBe(true)
  }
}

const absurd = fc.constantFrom('0', '1', '7', '999999999999999', '86400')
const lies = fc.record({
  quota: absurd,
  windowS: absurd,
  left: absurd,
  resetS: fc.constantFrom('0', '1', '2'),
  isTold: fc.boolean(),
})

describe('a lying server', () => {
  it('with false remaining counts and policies: all calls are served', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(lies, conditions, async ({ quota, windowS, left, resetS, isTold }, condition) => {
        const result = await race(bucket(20, 10), { ...condition, count: 40 }, (waitMs) => ({
          'ratelimit-policy': `"a";q=${quota};w=${windowS}`,
          ratelimit: `"a";r=${left};t=${resetS}`,
          ...(isTold && waitMs > 0 && { 'retry-after': '1' }),
        }))
        expectSound(result)
      }),
      tries(20),
    )
  })

  it('with a pause longer than announced: all calls are served', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 60_000 }),
        conditions,
        async (burst, pauseMs, condition) => {
          expectSound(
            await race(
              pausing(bucket(20, burst), pauseMs, false),
              { ...condition, count: 40 },
              (waitMs): Record<string, string> => (waitMs > 0 ? { 'retry-after': '1' } : {}),
            ),
          )
        },
      ),
      tries(20),
    )
  })
})
