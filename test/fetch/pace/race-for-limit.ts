import fc from 'fast-check'
import { createRateLimitedFetch, type PaceSnapshot, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect } from 'vitest'
import { createFakeServer, type Answer, type FakeServer } from '../fixtures/fake-server.ts'
import type { ServerLimit } from './limits-of-servers.ts'
import { A, paths, watch } from '../fixtures/start.ts'

export interface Race {
  server: FakeServer
  /** Answers of 429, by the hundred calls. */
  refusals: number
  /** What it thought, each time that it thought something else. */
  paces: PaceSnapshot[]
  statuses: (number | undefined)[]
}

/** `count` calls at once, and again after `restMs`, to a server that answers after `latencies`, in turn. */
export async function race(
  limit: ServerLimit,
  { count = 100, latencies = [10], restMs = 0, ...options }: RateLimitedFetchOptions & RaceOptions,
  headersOf: (waitMs: number) => Record<string, string> = retryAfter,
): Promise<Race> {
  const clock = createManualClock()
  let refusals = 0
  const server = createFakeServer(clock, ({ at }, index): Answer => {
    const waitMs = limit(at)
    if (waitMs > 0) refusals++
    return {
      status: waitMs > 0 ? 429 : 200,
      headers: headersOf(waitMs),
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
  return {
    server,
    refusals: (refusals / count) * 100,
    paces,
    statuses: calls.map(({ response }) => response?.status),
  }
}

export interface RaceOptions {
  count?: number
  latencies?: readonly number[]
  restMs?: number
}

function retryAfter(waitMs: number): Record<string, string> {
  return waitMs > 0 ? { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) } : {}
}

export const conditions = fc.record({
  count: fc.constantFrom(30, 100, 200),
  latencies: fc.array(fc.oneof(fc.constant(10), fc.nat(100), fc.nat(1000)), { minLength: 1, maxLength: 6 }),
  restMs: fc.constantFrom(0, 0, 3000, 60_000),
  random: fc.constantFrom(0, 0.5, 0.999).map((drawn) => () => drawn),
})

/** What never depends on the server. */
export function expectSound({ server, paces, statuses }: Race): void {
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(server.early).toEqual([])
  for (const { ratePerSecond, burst } of paces) {
    expect(ratePerSecond > 0 && ratePerSecond < Infinity).toBe(true)
    expect(burst >= 1 && burst < Infinity).toBe(true)
  }
}
