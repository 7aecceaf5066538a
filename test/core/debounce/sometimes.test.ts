import fc from 'fast-check'
import { sometimes, type SometimesOptions } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock } from '../time/clocks.ts'
import { named } from '../shared/named.ts'
import { tries } from '../../laws/tries.ts'

/** The instants at which calls at `instants` run. */
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

it.each(
  named<{ does: string; options: SometimesOptions; calls: number[]; runs: number[] }>([
    { does: 'runs the first call alone without options', options: {}, calls: upTo(50), runs: [0] },
    {
      does: 'takes undefined for absent',
      options: { first: undefined, every: undefined, intervalMs: undefined, clock: undefined },
      calls: upTo(50),
      runs: [0],
    },
    {
      does: 'takes 0 for absent',
      options: { first: 0, every: 0, intervalMs: 0 },
      calls: [0, 0, 0, 1e9],
      runs: [0],
    },
    { does: 'runs the first calls', options: { first: 3 }, calls: upTo(10), runs: [0, 1, 2] },
    {
      does: 'runs all the first of endlessly many',
      options: { first: Infinity },
      calls: upTo(9),
      runs: upTo(9),
    },
    {
      does: 'runs every so many-th call, from the first',
      options: { every: 3 },
      calls: upTo(10),
      runs: [0, 3, 6, 9],
    },
    { does: 'runs every call', options: { every: 1 }, calls: upTo(5), runs: upTo(5) },
    {
      does: 'runs the first call alone, every Infinity',
      options: { every: Infinity },
      calls: upTo(9),
      runs: [0],
    },
    {
      does: 'runs when the interval since the last run is over, not before',
      options: { intervalMs: 10 },
      calls: [3, 12, 13, 14, 22, 23, 40, 49.5, 50],
      runs: [3, 13, 23, 40, 50],
    },
    {
      does: 'never runs again after an endless interval',
      options: { intervalMs: Infinity },
      calls: [0, 1e12],
      runs: [0],
    },
    {
      does: 'runs by any of the options',
      options: { first: 2, every: 4, intervalMs: 100 },
      calls: [0, 1, 2, 3, 4, 5, 103, 104, 105, 106],
      runs: [0, 1, 4, 104, 105],
    },
    {
      does: 'counts the interval from a run of any kind',
      options: { every: 3, intervalMs: 10 },
      calls: [0, 5, 9, 12, 19, 21, 22, 23],
      runs: [0, 12, 22],
    },
  ]),
)('%s', (_, { options, calls, runs }) => {
  expect(runsAt(options, calls)).toEqual(runs)
})

it('counts the interval from the end of a run', () => {
  const clock = createTestClock()
  const maybe = sometimes({ intervalMs: 10, clock })
  const run = vi.fn(() => clock.advance(8))
  maybe(run)
  clock.advance(9)
  maybe(run)
  expect(run).toHaveBeenCalledTimes(1)
  clock.advance(1)
  maybe(run)
  expect(run).toHaveBeenCalledTimes(2)
})

it('starts the interval anew when the clock is set back', () => {
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

it('counts a call that throws, and goes on', () => {
  const clock = createTestClock()
  const maybe = sometimes({ first: 2, intervalMs: 10, clock })
  const run = vi.fn()
  const fail = () => {
    throw new Error('bad')
  }
  expect(() => maybe(fail)).toThrow('bad')
  expect(() => maybe(fail)).toThrow('bad')
  maybe(run)
  expect(run).not.toHaveBeenCalled()
  clock.advance(10)
  maybe(run)
  expect(run).toHaveBeenCalledTimes(1)
})

it('takes a call from inside a run for one more call', () => {
  const clock = createTestClock()
  const maybe = sometimes({ every: 3, intervalMs: 1000, clock })
  const calls: string[] = []
  maybe(() => {
    calls.push('outer')
    maybe(() => calls.push('second'))
    maybe(() => calls.push('third'))
    maybe(() => calls.push('fourth'))
  })
  expect(calls).toEqual(['outer', 'fourth'])
})

it('runs the calls that Go runs', () => {
  const options = fc.record({
    first: fc.constantFrom(0, 1, 2, 5),
    every: fc.constantFrom(0, 1, 2, 7),
    intervalMs: fc.constantFrom(0, 1, 10, 25),
  })
  // When each call comes, and how long its run takes.
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
      // As it stands in x/time/rate: Do.
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
