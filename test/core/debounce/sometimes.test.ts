import fc from 'fast-check'
import { sometimes } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/clocks.ts'
import { tries } from '../../laws/tries.ts'

it('restarts the interval when the clock is set back', () => {
  const clock = createAdjustableClock(5000)
  const maybe = sometimes({ intervalMs: 10, clock })
  const run = vi.fn()
  maybe(run)
  clock.adjust(-4000)
  maybe(run)
  expect(run).toHaveBeenCalledTimes(1)
  clock.advance(10)
  maybe(run)
  expect(run).toHaveBeenCalledTimes(2)
})

it('runs the same calls as Go, where an absent or undefined option is 0', () => {
  const options = fc.record(
    {
      first: fc.constantFrom(undefined, 0, 1, 2, 5, Infinity),
      every: fc.constantFrom(undefined, 0, 1, 2, 7, Infinity),
      intervalMs: fc.constantFrom(undefined, 0, 1, 10, 25, Infinity),
    },
    { requiredKeys: [] },
  )
  // The gap before each call, and the duration of its run.
  const calls = fc.array(fc.record({ afterMs: fc.nat(12), tookMs: fc.constantFrom(0, 0, 0, 3, 30) }), {
    maxLength: 60,
    size: 'max',
  })
  fc.assert(
    fc.property(options, calls, (options, calls) => {
      const clock = createManualClock()
      const maybe = sometimes({ ...options, clock })
      const runs: number[] = []
      const right: number[] = []
      const { first = 0, every = 0, intervalMs = 0 } = options
      // As `Do` in x/time/rate.
      let count = 0
      let last = 0
      for (const { afterMs, tookMs } of calls) {
        clock.advance(afterMs)
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
    }),
    tries(2000),
  )
})
