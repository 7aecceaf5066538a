import fc from 'fast-check'
import type { PaceSnapshot } from 'lull/fetch'
import { expect, it } from 'vitest'
import { bucket } from '../../field/limits.ts'
import { forAllAsync } from '../../laws/tries.ts'
import { A, play, start } from '../fixtures/start.ts'

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

it('with false counts and policies all calls are served, at a finite pace', { timeout: 60_000 }, async () => {
  await forAllAsync(20, lies, conditions, async (lie, { latencies, restMs, drawn }) => {
    const { waitMs, take } = bucket(20, 10)
    const paces: PaceSnapshot[] = []
    const onEvent = (): void => {
      const pace = f.snapshot(A)?.pace
      if (pace) paces.push(pace)
    }
    const options = { random: () => drawn, maxRetries: Infinity, maxWaitMs: Infinity, onEvent }
    const { f, clock, server } = start(options, ({ at }, index) => {
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
    const calls = await play({ f, clock }, `*20 +${restMs} *20 +1e8`)
    expect(clock.pending).toBe(0)
    expect(calls.filter(({ response }) => response?.status !== 200)).toEqual([])
    expect(server.early).toEqual([])
    for (const { ratePerSecond, burst } of paces) {
      expect(ratePerSecond > 0 && ratePerSecond < Infinity).toBe(true)
      expect(burst >= 1 && burst < Infinity).toBe(true)
    }
  })
})
