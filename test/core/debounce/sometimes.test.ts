import fc from 'fast-check'
import { sometimes } from 'lull/core'
import { expect, it } from 'vitest'
import { createAdjustableClock } from '../time/clocks.ts'
import { recordsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'

it('runs the same calls as Go, where an absent option is 0 and a clock that is set back restarts the interval', () => {
  const options = fc.record(
    {
      first: fc.constantFrom(undefined, 0, 1, 2, 5, Infinity),
      every: fc.constantFrom(undefined, 0, 1, 2, 7, Infinity),
      intervalMs: fc.constantFrom(undefined, 0, 1, 10, 25, Infinity),
    },
    { requiredKeys: [] },
  )
  // The gap before each call, and the duration of its run.
  const calls = recordsOf(60, {
    afterMs: fc.nat(12),
    backMs: fc.constantFrom(0, 0, 0, 0, 0, 4, 5000),
    tookMs: fc.constantFrom(0, 0, 0, 3, 30),
  })
  forAll(2000, options, calls, (options, calls) => {
    const clock = createAdjustableClock(50_000)
    const maybe = sometimes({ ...options, clock })
    const runs: number[] = []
    const right: number[] = []
    const { first = 0, every = 0, intervalMs = 0 } = options
    // As `Do` in x/time/rate.
    let count = 0
    let last = 0
    for (const { afterMs, backMs, tookMs } of calls) {
      clock.advance(afterMs)
      clock.adjust(-backMs)
      last = Math.min(last, clock.now())
      const runsHere =
        count === 0 ||
        (first > 0 && count < first) ||
        (every > 0 && count % every === 0) ||
        (intervalMs > 0 && clock.now() - last >= intervalMs)
      if (runsHere) {
        right.push(count)
        last = clock.now() + tookMs
      }
      const n = count++
      maybe(() => {
        runs.push(n)
        clock.advance(tookMs)
      })
    }
    expect(runs).toEqual(right)
  })
})
