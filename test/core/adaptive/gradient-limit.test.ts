import fc from 'fast-check'
import { createConcurrencyLimiter, gradientLimit, type GradientLimitOptions } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { forAll } from '../../laws/tries.ts'

/** A limit, and functions that simulate calls under it. */
function setUp(options: GradientLimitOptions = {}) {
  const limit = gradientLimit(options)
  let now = 0
  /** Makes `calls` that take `latencyMs` each, `atATime` in flight. */
  function make(calls: number, latencyMs: number, atATime = limit.current): void {
    while (calls > 0) {
      const count = Math.min(calls, atATime, limit.current)
      const ends = Array.from({ length: count }, (_, index) => limit.started(index + 1, now))
      now += latencyMs
      for (const end of ends) end('success', now)
      calls -= count
    }
  }
  /** Makes the calls that measure the latency without load: first a full round, then few at a time. */
  function measure(latencyMs: number): void {
    make(Math.max(20, limit.current), latencyMs)
    make(20, latencyMs)
    expect(limit.noLoadMs).toBe(latencyMs)
  }
  return { limit, make, measure, at: () => now }
}

describe('the limit', () => {
  it.each<[initial: number, latencyMs: number, right: number, GradientLimitOptions?]>([
    // L + smoothing · (L · gradient + √L − L), rounded down; latency without load is 100 ms.
    [25, 100, 25 + 0.3 * 5],
    [25, 120, 25 + 0.3 * 5],
    [25, 150, 25 + 0.3 * (25 * 0.8 + 5 - 25)],
    [100, 200, 100 + 0.3 * (100 * 0.6 + 10 - 100)],
    [100, 240, 100 + 0.3 * (100 * 0.5 + 10 - 100)],
    [100, 9999, 100 + 0.3 * (100 * 0.5 + 10 - 100)],
    [4, 240, 4 + 0.3 * (4 * 0.5 + 2 - 4)],
    [100, 240, 100 * 0.5 + 10, { smoothing: 1 }],
    [100, 240, 100 + 0.3 * 10, { tolerance: 3 }],
  ])('goes from %i at %i ms to %f with %o', (initial, latencyMs, right, options) => {
    const { limit, make, measure } = setUp({ initial, ...options })
    measure(100)
    make(Math.max(initial, 20), latencyMs)
    expect(limit.current).toBe(Math.floor(right + 1e-9))
  })

  it('does not change for calls with few in flight', () => {
    const { limit, make, measure } = setUp({ initial: 100 })
    measure(100)
    make(1000, 100, 49)
    make(1000, 5000, 49)
    expect(limit.current).toBe(100)
    make(100, 100, 50)
    expect(limit.current).toBe(103)
  })

  it('falls by a tenth at a failure, once for all calls that had started by then', () => {
    const { limit, at } = setUp({ initial: 100 })
    const early = Array.from({ length: 50 }, (_, index) => limit.started(index + 1, at()))
    for (const end of early) end('failure', at())
    expect(limit.current).toBe(90)
    limit.started(1, at())('failure', at())
    expect(limit.current).toBe(81)
  })

  it('ignores neutral calls', () => {
    const { limit, make, measure, at } = setUp({ initial: 100 })
    measure(100)
    for (let n = 0; n < 1000; n++) limit.started(100, at())('neutral', at() + 99_999)
    expect([limit.current, limit.noLoadMs]).toEqual([100, 100])
    make(100, 100)
    expect(limit.current).toBe(103)
  })

  it('returns if all calls of a measurement without load are neutral', () => {
    const { limit, make, at } = setUp({ initial: 100 })
    make(100, 100)
    expect(limit.current).toBe(10)
    for (let n = 0; n < 18; n++) limit.started(1, at())('neutral', at())
    expect([limit.current, limit.noLoadMs]).toEqual([100, undefined])
  })

  it('adapts in spite of calls that never end', () => {
    const { limit, make, measure, at } = setUp({ initial: 100 })
    measure(100)
    for (let n = 0; n < 10; n++) limit.started(n + 1, at())
    make(90, 100)
    expect(limit.current).toBe(103)
    // More calls than a round can lack.
    for (let n = 0; n < 50; n++) limit.started(n + 1, at())
    make(900, 100)
    expect(limit.current).toBe(103)
    make(100, 100)
    expect(limit.current).toBeGreaterThan(103)
  })

  it('stays within its bounds for any calls', () => {
    const call = fc.record({
      calls: fc.nat(60),
      latencyMs: fc.constantFrom(0, 0.01, 1, 50, 51, 500, 1e9),
      atATime: fc.constantFrom(1, 3, 10, 1000),
      fails: fc.nat(9).map((n) => n === 0),
    })
    forAll(
      500,
      fc.constantFrom<[min: number, max: number]>([1, 1], [1, 5], [3, 200], [20, 20], [1, Infinity]),
      fc.array(call, { maxLength: 60, size: 'max' }),
      ([min, max], script) => {
        const { limit, make, at } = setUp({ min, max })
        for (const { calls, latencyMs, atATime, fails } of script) {
          if (fails) limit.started(1, at())('failure', at())
          else make(calls, latencyMs, atATime)
          expect(limit.current).toBeGreaterThanOrEqual(min)
          expect(limit.current).toBeLessThanOrEqual(max)
          expect(Number.isInteger(limit.current)).toBe(true)
        }
      },
    )
  })
})

describe('a round', () => {
  it('ignores calls that start after it has enough', () => {
    const limit = gradientLimit()
    const ends = Array.from({ length: 20 }, () => limit.started(4, 0))
    // More than the square root of the limit counts as load.
    limit.started(20, 0)
    for (const end of ends) end('success', 50)
    expect(limit.noLoadMs).toBe(50)
  })

  it.each([
    [199, undefined],
    [200, 50],
  ])('with %i started and one ended, the measured latency is %s', (started, noLoadMs) => {
    const limit = gradientLimit()
    const ends = Array.from({ length: started }, () => limit.started(4, 0))
    ends[0]!('success', 50)
    expect(limit.noLoadMs).toBe(noLoadMs)
  })
})

describe('latency without load', () => {
  it('is kept for at least a hundred times its length', () => {
    const { limit, make, measure, at } = setUp({ initial: 100, min: 1, max: 100 })
    measure(500)
    const measuredAt = at()
    const before = limit.current
    while (limit.current > before / 2) make(limit.current, 500)
    expect(at() - measuredAt).toBe(50_000)
  })

  it('rises to a measurement at once, and falls half of the way', () => {
    const { limit, make, measure } = setUp({ initial: 100 })
    measure(100)
    make(90, 400, 5)
    expect(limit.noLoadMs).toBe(400)
    make(90, 100, 5)
    expect(limit.noLoadMs).toBe(250)
  })

  it('falls with a lower latency under load, and never rises with a higher one', () => {
    const { limit, make, measure } = setUp({ initial: 100 })
    measure(100)
    make(100, 50)
    expect(limit.noLoadMs).toBe(95)
    make(200, 500)
    expect(limit.noLoadMs).toBe(95)
  })
})

/**
 * An unlimited number of callers, under a limit, of a server that processes `workers` requests at a time, in
 * `serviceMs` each.
 */
function simulate(workers: number, serviceMs: number, options?: GradientLimitOptions) {
  const clock = createManualClock()
  const limit = gradientLimit(options)
  const limiter = createConcurrencyLimiter({ limit, clock })
  const server = { workers }
  const queue: (() => void)[] = []
  let busy = 0
  let answered = 0

  function work(): void {
    while (busy < server.workers && queue.length > 0) {
      const release = queue.shift()!
      busy++
      clock.after(serviceMs, () => {
        busy--
        answered++
        release()
        send()
      })
    }
  }

  function send(): void {
    for (let release; (release = limiter.tryAcquire());) queue.push(release)
    work()
  }

  /**
   * Lets `seconds` pass. Returns the limit at the end of each second, the number of served requests, and their share of the
   * server's capacity.
   */
  function pass(seconds: number) {
    const limits: number[] = []
    const before = answered
    for (let n = 0; n < seconds; n++) {
      send()
      clock.advance(1000)
      // Includes the lowered limits while latency is measured.
      limits.push(limit.current)
    }
    limits.sort((a, b) => a - b)
    const most = (seconds * 1000 * server.workers) / serviceMs
    const [median, highest] = [limits[Math.floor(limits.length / 2)]!, limits.at(-1)!]
    const served = answered - before
    return { median, highest, served, use: served / most }
  }
  return { limiter, server, pass }
}

/** Expects that the limit has settled at the number of workers plus a small queue. */
function expectKnee(workers: number, { median, highest, use }: Record<'median' | 'highest' | 'use', number>) {
  expect(median).toBeGreaterThanOrEqual(workers)
  expect(highest).toBeLessThanOrEqual(1.2 * workers + 2 * Math.sqrt(workers) + 2)
  expect(use).toBeGreaterThan(0.94)
}

it.each([1, 3, 4, 5, 19])('calls go on while %i others never end, also when latency is measured', (stuck) => {
  const { limiter, pass } = simulate(Infinity, 10, { max: 20 })
  for (let n = 0; n < stuck; n++) limiter.tryAcquire()
  for (let second = 0; second < 60; second++) expect(pass(1).served).toBeGreaterThanOrEqual(100)
})

it.each([
  [1, 50],
  [2, 100],
  [10, 50],
  [10, 500],
  [40, 20],
  [100, 50],
])('settles near the knee of a server with %i workers and %i ms per request', (workers, serviceMs) => {
  const { pass } = simulate(workers, serviceMs)
  pass(serviceMs * 2)
  expectKnee(workers, pass(serviceMs))
})

it('falls when the server has fewer workers, and recovers when it has more', () => {
  const { server, pass } = simulate(20, 50)
  for (const [workers, seconds] of [
    [20, 30],
    [5, 5],
    [20, 5],
  ] as const) {
    server.workers = workers
    pass(seconds)
    expectKnee(workers, pass(40))
  }
})
