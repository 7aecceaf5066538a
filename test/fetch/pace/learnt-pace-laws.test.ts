import fc from 'fast-check'
import { createRateLimitedFetch, type PaceSnapshot } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { bucket } from '../../field/limits.ts'
import { tries } from '../../laws/tries.ts'
import { createFakeServer, type Answer } from '../fixtures/fake-server.ts'
import { A, paths, watch } from '../fixtures/start.ts'

const absurd = fc.constantFrom('0', '1', '7', '999999999999999', '86400')
const lies = fc.record({
  quota: absurd,
  windowS: absurd,
  left: absurd,
  resetS: fc.constantFrom('0', '1', '2'),
  isTold: fc.boolean(),
})
const conditions = fc.record({
  latencies: fc.array(fc.oneof(fc.constant(10), fc.nat(100), fc.nat(1000)), { minLength: 1, maxLength: 6 }),
  restMs: fc.constantFrom(0, 0, 3000, 60_000),
  drawn: fc.constantFrom(0, 0.5, 0.999),
})

it('with false remaining counts and policies: all calls are served', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(lies, conditions, async (lie, { latencies, restMs, drawn }) => {
      const clock = createManualClock()
      const { waitMs, take } = bucket(20, 10)
      const server = createFakeServer(clock, ({ at }, index): Answer => {
        const isRefused = waitMs(at) > 0
        if (!isRefused) take(at)
        const headers = {
          'ratelimit-policy': `"a";q=${lie.quota};w=${lie.windowS}`,
          ratelimit: `"a";r=${lie.left};t=${lie.resetS}`,
          ...(lie.isTold && isRefused && { 'retry-after': '1' }),
        }
        const latencyMs = latencies[index % latencies.length]!
        return { status: isRefused ? 429 : 200, headers, latencyMs }
      })
      const paces: PaceSnapshot[] = []
      const f = createRateLimitedFetch({
        fetch: server.fetch,
        clock,
        random: () => drawn,
        maxRetries: Infinity,
        maxWaitMs: Infinity,
        onEvent() {
          const pace = f.snapshot(A)?.pace
          if (pace) paces.push(pace)
        },
      })
      const call = () => paths(20).map((path) => watch(f(A + path), clock))
      const calls = call()
      await clock.advanceAsync(restMs)
      calls.push(...call())
      await clock.advanceAsync(100_000_000)
      expect(clock.pending).toBe(0)
      expect(calls.filter(({ response }) => response?.status !== 200)).toEqual([])
      expect(server.early).toEqual([])
      for (const { ratePerSecond, burst } of paces) {
        expect(ratePerSecond > 0 && ratePerSecond < Infinity).toBe(true)
        expect(burst >= 1 && burst < Infinity).toBe(true)
      }
    }),
    tries(20),
  )
})
