import fc from 'fast-check'
import { sometimes, type SometimesOptions } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock } from '../time/clocks.ts'
import { tries } from '../../laws/tries.ts'

/** Returns the `instants` at which a call runs. */
function runsAt(options: SometimesOptions, instants: number[]): number[] {
  const clock = createTestClock()
  const maybe = sometimes({ clock, ...options })
  const runs: number[] = []
  for (const at of instants) {
    clock.advance(at - clock.now())
    maybe(() => runs.push(at))
  }
  return runs
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

it.each<[does: string, options: SometimesOptions, calls: number[], runs: number[]]>([
  ['runs only the first call without options', {}, upTo(50), [0]],
  [
    'treats undefined as absent',
    { first: undefined, every: undefined, intervalMs: undefined },
    upTo(50),
    [0],
  ],
  ['runs all calls with an infinite first', { first: Infinity }, upTo(9), upTo(9)],
  ['runs every so many-th call, from the first', { every: 3 }, upTo(10), [0, 3, 6, 9]],
  ['runs the first call alone, every Infinity', { every: Infinity }, upTo(9), [0]],
  ['runs again after the interval', { intervalMs: 10 }, [3, 12, 13, 14, 40, 49.5, 50], [3, 13, 40, 50]],
  ['never runs again with an infinite interval', { intervalMs: Infinity }, [0, 1e12], [0]],
])('%s', (_, options, calls, runs) => {
  expect(runsAt(options, calls)).toEqual(runs)
})

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

it('runs the same calls as Go', () => {
  const options = fc.record({
    first: fc.constantFrom(0, 1, 2, 5),
    every: fc.constantFrom(0, 1, 2, 7),
    intervalMs: fc.constantFrom(0, 1, 10, 25),
  })
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
      const { first, every, intervalMs } = options
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
    tries(500),
  )
})
