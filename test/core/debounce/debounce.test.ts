import { debounce, debounceKeyed, throttle, type Clock, type DebounceOptions } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { createManualClock } from 'lull/testing'

// Debounce, and throttle, which is a debounce with a maxWait of its wait. laws.test.ts has what they share
// with other call shapers.

type Kind = 'debounce' | 'throttle'
const kinds = { debounce, throttle }

/**
 * A debounced function that records runs as `instant: argument`; `callAt` calls it at an instant, which is
 * the argument.
 */
function setUp(kind: Kind, wait: number, options: DebounceOptions = {}, inside?: (argument: number) => void) {
  const clock = createTestClock()
  const runs: string[] = []
  const held = kinds[kind](
    (argument: number) => {
      runs.push(`${clock.now()}: ${argument}`)
      inside?.(argument)
      return argument
    },
    wait,
    { clock, ...options },
  )
  const goTo = (at: number): void => {
    // Advancing by 0 would end the task.
    if (at > clock.now()) clock.advance(at - clock.now())
  }
  const callAt = (at: number): number | undefined => {
    goTo(at)
    return held(at)
  }
  return { clock, held, runs, goTo, callAt }
}

const leads = { leading: true }
const leadsOnly = { leading: true, trailing: false }

describe('timing', () => {
  const unset = { leading: undefined, trailing: undefined }
  const runs100 = '0: 0, 100: 90, 200: 190, 300: 201'
  it.each<[does: string, kind: Kind, options: DebounceOptions, calls: number[], runs: string]>([
    ['runs wait after the last call of a burst', 'debounce', {}, [0, 50, 120, 219], '319: 219'],
    ['runs the first call of a burst alone', 'debounce', leadsOnly, [0, 50, 149, 248, 348], '0: 0, 348: 348'],
    ['runs the first and the last call', 'debounce', leads, [0, 50, 120], '0: 0, 220: 120'],
    ['raises a maxWait below wait', 'debounce', { maxWait: 20 }, [0, 40, 80, 120], '100: 80, 220: 120'],
    ['takes no undefined maxWait', 'debounce', { maxWait: undefined }, [0, 50, 100, 150, 200], '300: 200'],
    ['takes no undefined edges', 'debounce', unset, [0], '100: 0'],
    ['never runs without edges', 'debounce', { trailing: false, maxWait: 120 }, [0, 50, 100, 150, 300], ''],
    ['runs the last call of each wait', 'throttle', {}, [0, 30, 90, 100, 130, 190, 200, 201], runs100],
    ['takes no undefined edges', 'throttle', unset, [0, 50], '0: 0, 100: 50'],
  ])('%s: %s %o', (_, kind, options, calls, expected) => {
    const { callAt, goTo, runs } = setUp(kind, 100, options)
    for (const at of calls) callAt(at)
    goTo(5000)
    expect(runs.join(', ')).toBe(expected)
  })

  it.each<[Kind, DebounceOptions, number[]]>([
    ['debounce', {}, [3, 4, 5]],
    ['debounce', leads, [1, 3, 4, 5]],
    ['throttle', {}, [1, 2, 3, 4, 5]],
  ])('at a wait of 0 a %s with %o runs in each task', (kind, options, expected) => {
    const ran: number[] = []
    const { clock, held } = setUp(kind, 0, options, (argument) => ran.push(argument))
    for (const task of [[1, 2, 3], [4], [5]]) {
      for (const n of task) held(n)
      clock.advance(0)
    }
    expect(ran).toEqual(expected)
  })
})

it.each<[does: string, kind: Kind, from: number, wait: number, at: number, run: string]>([
  ['runs an overdue call in the next task', 'debounce', 1000, 100, 300, '300: 10'],
  ['puts a run off', 'debounce', 1000, 5000, 50, '5010: 10'],
  ['runs an overdue call in the next task', 'throttle', 1000, 100, 300, '300: 10'],
  ['puts a run off', 'throttle', 100, 1000, 50, '1000: 10'],
])('configure %s: %s', (_, kind, from, wait, at, run) => {
  const { callAt, goTo, held, runs } = setUp(kind, from)
  callAt(0)
  callAt(10)
  goTo(at)
  held.configure({ wait })
  expect([runs.length, held.isPending()]).toEqual([kind === 'throttle' ? 1 : 0, true])
  goTo(10_000)
  expect(runs.at(-1)).toBe(run)
})

it.each(['debounce', 'debounceKeyed'])(
  '%s accepts an infinite wait from configure, and counts a finite one from the last call',
  (name) => {
    const clock = createManualClock()
    const runs: [n: number, at: number][] = []
    const run = (n: number): unknown => runs.push([n, clock.now()])
    const held =
      name === 'debounce'
        ? debounce(run, 100, { clock })
        : debounceKeyed(run, 100, { clock, key: () => 'key' })
    held(1)
    held.configure({ wait: Infinity })
    clock.advance(10_000)
    held(2)
    expect([clock.pending, held.isPending()]).toEqual([0, true])
    held.configure({ wait: 100, maxWait: 100 })
    clock.advance(10_000)
    expect(runs).toEqual([[2, 10_100]])
  },
)

it.each(['debounce', 'debounceKeyed'])('%s delays a call after configure behind a late timer', (name) => {
  const manual = createManualClock()
  let lateMs = 5
  const clock: Clock = { ...manual, after: (ms, callback) => manual.after(ms + lateMs, callback) }
  const runs: [n: number, at: number][] = []
  const run = (n: number): unknown => runs.push([n, manual.now()])
  const held =
    name === 'debounce' ? debounce(run, 10, { clock }) : debounceKeyed(run, 10, { clock, key: () => 'key' })
  held(1)
  manual.advance(12)
  lateMs = 0
  // It is due, so its timer has a delay of 0.
  held.configure({ wait: 10 })
  held(2)
  manual.advance(100)
  expect(runs).toEqual([[2, 22]])
})
