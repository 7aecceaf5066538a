import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLatencyPercentile } from '../../../src/core/adaptive/latency-percentile.ts'
import { tries } from '../../laws/tries.ts'

/** The least latency such that those up to it weigh at least `part` of all. The weight halves every 500. */
function naive(part: number, latencies: number[]): number {
  const weighed = latencies
    .map((ms, index) => ({ ms: Math.max(ms, 1), weight: 2 ** ((index - latencies.length) / 500) }))
    .sort((a, b) => a.ms - b.ms)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  let sum = 0
  for (const { ms, weight } of weighed) {
    sum += weight
    if (sum >= part * total * (1 - 1e-12)) return ms
  }
  return NaN
}

describe('a latency percentile', () => {
  it('is at most 9 % above that of all latencies, the newer ones weighing more', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), {
          minLength: 20,
          maxLength: 2000,
          size: 'max',
        }),
        (part, latencies) => {
          const percentile = createLatencyPercentile(part)
          for (const ms of latencies) percentile.add(ms)
          const right = naive(part, latencies)
          expect(percentile.value! / right).toBeGreaterThan(1 - 1e-9)
          expect(percentile.value! / right).toBeLessThan(2 ** (1 / 8) + 1e-9)
        },
      ),
      tries(200),
    )
  })

  it.each([
    [Number.MIN_VALUE, 4],
    [0.4, 4],
    [1, 1024],
  ])('of %d is one that there was', (part, value) => {
    const percentile = createLatencyPercentile(part)
    for (let n = 0; n < 1000; n++) percentile.add(n % 2 ? 4 : 1024)
    expect(percentile.value).toBe(value)
  })

  it('follows when latencies change', () => {
    const percentile = createLatencyPercentile(0.5)
    for (let n = 0; n < 10_000; n++) percentile.add(16)
    for (let n = 0; n < 499; n++) percentile.add(256)
    expect(percentile.value).toBe(16)
    for (let n = 0; n < 3; n++) percentile.add(256)
    expect(percentile.value).toBe(256)
  })

  it('takes what is below 1 ms for 1, and what is above four hours for about that', () => {
    for (const [ms, value] of [
      [0, 1],
      [0.5, 1],
      [Infinity, 2 ** (191 / 8)],
    ] as const) {
      const percentile = createLatencyPercentile(0.5)
      for (let n = 0; n < 20; n++) percentile.add(ms)
      expect(percentile.value).toBe(value)
    }
  })

  it('stays right after a million', () => {
    const percentile = createLatencyPercentile(0.9)
    for (let n = 0; n < 1_000_000; n++) percentile.add(n % 10 === 0 ? 4096 : 32)
    expect(percentile.value).toBe(32)
    for (let n = 0; n < 20; n++) percentile.add(4096)
    expect(percentile.value).toBe(4096)
  })

  it('takes what is below 1 ms for 1, and what is above four hours for about that', () => {
    for (const [ms, value] of [
      [0, 1],
      [0.5, 1],
      [Infinity, 2 ** (191 / 8)],
    ] as const) {
      const percentile = createLatencyPercentile(0.5)
      for (let n = 0; n < 20; n++) percentile.add(ms)
      expect(percentile.value).toBe(value)
    }
  })
})
