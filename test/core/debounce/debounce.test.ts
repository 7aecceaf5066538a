import { debounce, throttle, type DebounceChanges, type DebounceOptions } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
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
    ['runs wait after a single call', 'debounce', {}, [0], '100: 0'],
    ['runs wait after the last call of a burst', 'debounce', {}, [0, 50, 120, 219], '319: 219'],
    [
      'starts a new burst after a quiet time of wait',
      'debounce',
      {},
      [0, 50, 150, 400],
      '150: 50, 250: 150, 500: 400',
    ],
    ['runs the first call of a burst alone', 'debounce', leadsOnly, [0, 50, 149, 248, 348], '0: 0, 348: 348'],
    ['runs a single call once with both edges', 'debounce', leads, [0, 100], '0: 0, 100: 100'],
    ['runs the first and the last call', 'debounce', leads, [0, 50, 120], '0: 0, 220: 120'],
    [
      'does not wait longer than maxWait',
      'debounce',
      { maxWait: 150 },
      [0, 50, 100, 150],
      '150: 100, 250: 150',
    ],
    ['raises a maxWait below wait', 'debounce', { maxWait: 20 }, [0, 40, 80, 120], '100: 80, 220: 120'],
    [
      'treats an undefined maxWait as none',
      'debounce',
      { maxWait: undefined },
      [0, 50, 100, 150, 200],
      '300: 200',
    ],
    ['treats undefined edges as the defaults', 'debounce', unset, [0], '100: 0'],
    [
      'never runs with both edges off',
      'debounce',
      { trailing: false, maxWait: 120 },
      [0, 50, 100, 150, 300],
      '',
    ],
    ['runs a lone call at once, and once', 'throttle', {}, [0, 100, 300], '0: 0, 100: 100, 300: 300'],
    ['runs the last call of each wait', 'throttle', {}, [0, 30, 90, 100, 130, 190, 200, 201], runs100],
    ['keeps wait after a trailing run', 'throttle', {}, [0, 5, 106], '0: 0, 100: 5, 200: 106'],
    ['runs only on the trailing edge', 'throttle', { leading: false }, [0, 30, 120], '100: 30, 220: 120'],
    [
      'runs only on the leading edge',
      'throttle',
      { trailing: false },
      [0, 30, 99, 100, 150],
      '0: 0, 100: 100',
    ],
    ['treats undefined edges as the defaults', 'throttle', unset, [0, 50], '0: 0, 100: 50'],
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

describe('configure', () => {
  it.each<[does: string, kind: Kind, from: number, changes: DebounceChanges, at: number, run: string]>([
    ['moves a run earlier', 'debounce', 1000, { wait: 100 }, 50, '110: 10'],
    ['runs an overdue call in the next task', 'debounce', 1000, { wait: 100 }, 300, '300: 10'],
    ['puts a run off', 'debounce', 1000, { wait: 5000 }, 50, '5010: 10'],
    [
      'keeps a pending call when the trailing edge is turned off',
      'debounce',
      1000,
      { trailing: false },
      50,
      '1010: 10',
    ],
    ['moves a run earlier', 'throttle', 1000, { wait: 100 }, 50, '100: 10'],
    ['runs an overdue call in the next task', 'throttle', 1000, { wait: 100 }, 300, '300: 10'],
    ['puts a run off', 'throttle', 100, { wait: 1000 }, 50, '1000: 10'],
  ])('%s: %s', (_, kind, from, changes, at, run) => {
    const { callAt, goTo, held, runs } = setUp(kind, from)
    callAt(0)
    callAt(10)
    goTo(at)
    held.configure(changes)
    expect([runs.length, held.isPending()]).toEqual([kind === 'throttle' ? 1 : 0, true])
    goTo(10_000)
    expect(runs.at(-1)).toBe(run)
  })

  it('moves the end of the current leading burst', () => {
    const { callAt, held, runs } = setUp('debounce', 100, leadsOnly)
    callAt(0)
    held.configure({ wait: 20 })
    callAt(30)
    held.configure({ wait: 200 })
    callAt(150)
    expect(runs).toEqual(['0: 0', '30: 30'])
  })

  it('accepts an infinite wait, and counts a finite one from the last call', () => {
    const { clock, callAt, goTo, held, runs } = setUp('debounce', 100)
    callAt(0)
    held.configure({ wait: Infinity })
    callAt(10_000)
    expect([clock.pending, held.isPending()]).toEqual([0, true])
    held.configure({ wait: 100, maxWait: 100 })
    goTo(20_000)
    expect(runs).toEqual(['10100: 10000'])
  })
})

it('throws to the caller from the leading edge, and keeps working', () => {
  const onError = vi.fn()
  const { clock, callAt, runs } = setUp('debounce', 100, { leading: true, onError }, (argument) => {
    if (argument === 0) throw new Error('bad')
  })
  expect(() => callAt(0)).toThrow('bad')
  expect(callAt(50)).toBe(undefined)
  expect(callAt(300)).toBe(300)
  clock.advance(1000)
  expect(runs).toEqual(['0: 0', '150: 50', '300: 300'])
  expect(onError).not.toHaveBeenCalled()
})

describe('from inside a run', () => {
  it.each<[Kind, DebounceOptions, string[]]>([
    // The run at 100 ends a burst: the call inside it starts the next.
    ['debounce', leads, ['0: 0', '100: 1', '100: 2', '200: 3']],
    ['debounce', leadsOnly, ['0: 0']],
    ['throttle', {}, ['0: 0', '100: 1', '200: 2', '300: 3']],
    ['throttle', { leading: false }, ['100: 0', '200: 1', '300: 2', '400: 3']],
    ['throttle', { trailing: false }, ['0: 0']],
  ])('a %s with %o accepts a call', (kind, options, expected) => {
    const { callAt, goTo, held, runs } = setUp(kind, 100, options, (argument) => {
      if (argument < 3) held(argument + 1)
    })
    callAt(0)
    goTo(1000)
    expect(runs).toEqual(expected)
  })
})

it('delays a call after a configure, even if the earlier timer is late', () => {
  const clock = createManualClock()
  let lateMs = 5
  const runs: [n: number, at: number][] = []
  const held = debounce((n: number) => runs.push([n, clock.now()]), 10, {
    clock: { now: clock.now, after: (ms, callback) => clock.after(ms + lateMs, callback) },
  })
  held(1)
  clock.advance(12)
  lateMs = 0
  // It is due, so its timer has a delay of 0.
  held.configure({ wait: 10 })
  held(2)
  clock.advance(100)
  expect(runs).toEqual([[2, 22]])
})
