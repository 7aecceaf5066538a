import fc from 'fast-check'
import { createRateLimitedFetch, type PaceSnapshot, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect } from 'vitest'
import { createFakeServer, type Answer, type FakeServer } from '../fixtures/fake-server.ts'
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

/** A limit as a server keeps it: ms until it would let a request through, or 0, and then it has counted it. */
export type ServerLimit = (at: number) => number

/** @param factor what the rate and the burst are multiplied by, at an instant */
export function bucketLimit(
  ratePerSecond: number,
  burst: number,
  factor: (at: number) => number = () => 1,
): ServerLimit {
  let tokens = burst
  let last = 0
  return (at) => {
    const rate = (ratePerSecond * factor(at)) / 1000
    tokens = Math.min(Math.max(burst * factor(at), 1), tokens + (at - last) * rate)
    last = at
    if (tokens < 1 - 1e-9) return (1 - tokens) / rate
    tokens--
    return 0
  }
}

export function windowLimit(limit: number, windowMs: number): ServerLimit {
  let number = 0
  let count = 0
  return (at) => {
    if (Math.floor(at / windowMs) > number) count = 0
    number = Math.floor(at / windowMs)
    return count++ < limit ? 0 : (number + 1) * windowMs - at
  }
}

export function logLimit(limit: number, windowMs: number): ServerLimit {
  let log: number[] = []
  return (at) => {
    log = log.filter((one) => one > at - windowMs)
    if (log.length < limit) log.push(at)
    else return log[0]! + windowMs - at
    return 0
  }
}

/** Another client, of that rate, takes from the same limit. */
export function sharedLimit(limit: ServerLimit, ratePerSecond: number): ServerLimit {
  let next = 0
  return (at) => {
    for (; next <= at; next += 1000 / ratePerSecond) limit(next)
    return limit(at)
  }
}
