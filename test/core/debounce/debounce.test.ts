import { debounce, throttle, type DebounceChanges, type DebounceOptions } from 'lull/core'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { tries } from '../../laws/tries.ts'
import { createBusyClock, createTestClock, recordTimers } from '../time/clocks.ts'

// Debounce, and throttle, which is a debounce with a maxWait of its wait. What they have in common with other call shapers is
// in laws.test.ts, laws of random scripts are in debounce-laws.test.ts.

type Kind = 'debounce' | 'throttle'
const kinds = { debounce, throttle }

/** A function held back that notes its runs, as `instant: argument`, and a way to call it at an instant, which is the argument. */
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
    // To advance by 0 is to end the task.
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
  const rows: [does: string, kind: Kind, options: DebounceOptions, calls: number[], runs: string[]][] = [
    ['runs wait after a lone call', 'debounce', {}, [0], ['100: 0']],
    ['runs wait after the last call of a burst', 'debounce', {}, [0, 50, 120, 219], ['319: 219']],
    [
      'begins a burst after wait of quiet',
      'debounce',
      {},
      [0, 50, 150, 400],
      ['150: 50', '250: 150', '500: 400'],
    ],
    [
      'runs the first call of a burst alone',
      'debounce',
      leadsOnly,
      [0, 50, 149, 248, 348],
      ['0: 0', '348: 348'],
    ],
    ['runs a lone call once with both edges', 'debounce', leads, [0, 100], ['0: 0', '100: 100']],
    ['runs the first and the last call', 'debounce', leads, [0, 50, 120], ['0: 0', '220: 120']],
    [
      'does not wait longer than maxWait',
      'debounce',
      { maxWait: 150 },
      [0, 50, 100, 150, 200, 250, 300],
      ['150: 100', '300: 250', '400: 300'],
    ],
    ['raises a maxWait below wait', 'debounce', { maxWait: 20 }, [0, 40, 80, 120], ['100: 80', '220: 120']],
    ['takes undefined for none', 'debounce', { maxWait: undefined }, [0, 50, 100, 150, 200], ['300: 200']],
    [
      'takes undefined edges for the defaults',
      'debounce',
      { leading: undefined, trailing: undefined },
      [0],
      ['100: 0'],
    ],
    [
      'never runs with both edges off',
      'debounce',
      { trailing: false, maxWait: 120 },
      [0, 50, 100, 150, 300],
      [],
    ],
    ['runs a lone call at once, and once', 'throttle', {}, [0, 100, 300], ['0: 0', '100: 100', '300: 300']],
    [
      'runs the last call of each wait',
      'throttle',
      {},
      [0, 30, 60, 90, 100, 130, 160, 190, 200, 201],
      ['0: 0', '100: 90', '200: 190', '300: 201'],
    ],
    ['keeps wait after a trailing run', 'throttle', {}, [0, 5, 106], ['0: 0', '100: 5', '200: 106']],
    [
      'runs no first call at once with the trailing edge alone',
      'throttle',
      { leading: false },
      [0, 30, 120, 500],
      ['100: 30', '220: 120', '600: 500'],
    ],
    [
      'runs the first call in each wait with the leading edge alone',
      'throttle',
      { trailing: false },
      [0, 30, 99, 100, 150, 230],
      ['0: 0', '100: 100', '230: 230'],
    ],
    [
      'takes undefined edges for the defaults',
      'throttle',
      { leading: undefined, trailing: undefined },
      [0, 50],
      ['0: 0', '100: 50'],
    ],
  ]
  it.each(rows)('%s: %s %o', (_, kind, options, calls, expected) => {
    const { callAt, goTo, runs } = setUp(kind, 100, options)
    for (const at of calls) callAt(at)
    goTo(5000)
    expect(runs).toEqual(expected)
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

  it('keeps wait of a throttle after a run that was flushed, and leads again after a cancel', () => {
    const { callAt, goTo, held, runs } = setUp('throttle', 100)
    for (const at of [0, 50]) callAt(at)
    goTo(60)
    held.flush()
    callAt(120)
    callAt(170)
    held.cancel()
    for (const at of [180, 190]) callAt(at)
    goTo(1000)
    expect(runs).toEqual(['0: 0', '60: 50', '160: 120', '180: 180', '280: 190'])
  })

  it.each([leads, leadsOnly])('is not pending after a call that ran at once, with %o', (options) => {
    const { callAt, held, goTo } = setUp('debounce', 100, options)
    const listener = vi.fn()
    held.subscribe(listener)
    callAt(0)
    expect([held.isPending(), listener.mock.calls.length]).toEqual([false, 0])
    callAt(10)
    expect(held.isPending()).toBe(options === leads)
    goTo(200)
    expect(listener).toHaveBeenCalledTimes(options === leads ? 2 : 0)
    expect(held.flush()).toBe(options === leads ? 10 : 0)
  })

  it('at an endless wait runs what leads and what is flushed', () => {
    for (const [kind, options] of [
      ['debounce', leadsOnly],
      ['debounce', {}],
      ['throttle', {}],
    ] as const) {
      const { clock, callAt, held, runs } = setUp(kind, Infinity, options)
      for (const at of [0, 5, 1e12]) callAt(at)
      expect(clock.pending).toBe(0)
      held.flush()
      const [first, last] = ['0: 0', '1000000000000: 1000000000000']
      expect(runs).toEqual(options === leadsOnly ? [first] : kind === 'debounce' ? [last] : [first, last])
    }
  })
})

describe('configure', () => {
  it.each<[does: string, kind: Kind, from: number, changes: DebounceChanges, at: number, run: string]>([
    ['brings a run forward', 'debounce', 1000, { wait: 100 }, 50, '110: 10'],
    ['runs what is past due in the next task', 'debounce', 1000, { wait: 100 }, 300, '300: 10'],
    ['puts a run off', 'debounce', 1000, { wait: 5000 }, 50, '5010: 10'],
    [
      'keeps what is pending when the trailing edge goes',
      'debounce',
      1000,
      { trailing: false },
      50,
      '1010: 10',
    ],
    ['brings a run forward', 'throttle', 1000, { wait: 100 }, 50, '100: 10'],
    ['runs what is past due in the next task', 'throttle', 1000, { wait: 100 }, 300, '300: 10'],
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

  it('runs by the maxWait that it is given while pending, counted from the start of the burst', () => {
    const { callAt, goTo, held, runs } = setUp('debounce', 100)
    for (const at of [0, 60, 120]) callAt(at)
    held.configure({ maxWait: 150 })
    callAt(145)
    goTo(1000)
    expect(runs).toEqual(['150: 145'])
  })

  it('gives edges to the calls that come after', () => {
    const { callAt, goTo, held, runs } = setUp('debounce', 100, leadsOnly)
    callAt(0)
    held.configure({ leading: false, trailing: true })
    callAt(50)
    goTo(300)
    held.configure({ leading: true })
    callAt(400)
    goTo(1000)
    expect(runs).toEqual(['0: 0', '150: 50', '400: 400'])
  })

  it('moves the end of a leading burst that is under way', () => {
    const { callAt, held, runs } = setUp('debounce', 100, leadsOnly)
    callAt(0)
    held.configure({ wait: 20 })
    callAt(30)
    held.configure({ wait: 200 })
    callAt(150)
    expect(runs).toEqual(['0: 0', '30: 30'])
  })

  it('takes an endless wait, and gives it an end from the last call on', () => {
    const { clock, callAt, goTo, held, runs } = setUp('debounce', 100)
    callAt(0)
    held.configure({ wait: Infinity })
    callAt(10_000)
    expect([clock.pending, held.isPending()]).toEqual([0, true])
    held.configure({ wait: 100, maxWait: 100 })
    goTo(20_000)
    expect(runs).toEqual(['10100: 10000'])
  })

  it.each([false, true])('leaves a burst that has run by its maxWait as it is: %s', (isConfigured) => {
    const { callAt, goTo, held, runs } = setUp('debounce', 100, { maxWait: 100 })
    for (const at of [0, 90]) callAt(at)
    goTo(110)
    if (isConfigured) held.configure({})
    callAt(120)
    goTo(1000)
    expect(runs).toEqual(['100: 90', '220: 120'])
  })

  it('brings the runs of a throttle forward too where none is pending', () => {
    const { callAt, goTo, held, runs } = setUp('throttle', 100)
    for (const at of [0, 90, 180, 205]) callAt(at)
    held.configure({ wait: 5 })
    callAt(207)
    goTo(1000)
    expect(runs).toEqual(['0: 0', '100: 90', '205: 205', '210: 207'])
  })
})

it('throws to the caller from the leading edge, and goes on', () => {
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
    // The run at 100 is the end of a burst: what it calls begins the next.
    ['debounce', leads, ['0: 0', '100: 1', '100: 2', '200: 3']],
    ['debounce', leadsOnly, ['0: 0']],
    ['throttle', {}, ['0: 0', '100: 1', '200: 2', '300: 3']],
    ['throttle', { leading: false }, ['100: 0', '200: 1', '300: 2', '400: 3']],
    ['throttle', { trailing: false }, ['0: 0']],
  ])('a %s with %o takes a call', (kind, options, expected) => {
    const { callAt, goTo, held, runs } = setUp(kind, 100, options, (argument) => {
      if (argument < 3) held(argument + 1)
    })
    callAt(0)
    goTo(1000)
    expect(runs).toEqual(expected)
  })

  it('begins anew by a cancel at the leading edge', () => {
    const { callAt, goTo, held, runs } = setUp('debounce', 100, leads, (argument) => {
      if (argument === 0) held.cancel()
    })
    for (const at of [0, 10, 20]) callAt(at)
    goTo(1000)
    expect(runs).toEqual(['0: 0', '10: 10', '120: 20'])
  })

  it.each<[Kind, DebounceOptions, string[]]>([
    ['debounce', leads, ['0: 0', '20: 1']],
    ['debounce', {}, ['100: 0', '120: 1']],
    ['throttle', {}, ['0: 0', '20: 1']],
  ])('a %s with %o takes a new wait', (kind, options, expected) => {
    const { callAt, goTo, held, runs } = setUp(kind, 100, options, (argument) => {
      if (argument !== 0) return
      held.configure({ wait: 20 })
      held(1)
    })
    callAt(0)
    goTo(1000)
    expect(runs).toEqual(expected)
  })

  it('does not overflow the stack at a wait of 0', () => {
    const { callAt, goTo, held, runs } = setUp('debounce', 0, leads, (argument) => {
      if (argument < 10_000) held(argument + 1)
    })
    callAt(0)
    goTo(1000)
    expect(runs).toHaveLength(10_001)
  })
})

describe('timers', () => {
  it.each<[Kind, DebounceOptions]>([
    ['debounce', {}],
    ['debounce', leads],
    ['debounce', { maxWait: 250 }],
    ['throttle', {}],
  ])(
    'of a long burst of a %s with %o are set by one call for each run and then by themselves',
    (kind, options) => {
      const manual = createTestClock()
      const { clock, delays, cancelled } = recordTimers(manual)
      const fn = vi.fn()
      const held = kinds[kind](fn, 100, { ...options, clock })
      let setByCalls = 0
      for (let call = 0; call < 1000; call++) {
        const before = delays.length
        held()
        setByCalls += delays.length - before
        expect(manual.pending).toBeLessThanOrEqual(1)
        manual.advance(10)
      }
      // Each time that it fires, the last call is 10 ms old, so that it is set again for the other 90; that of a throttle is not.
      const itself = kind === 'throttle' ? 0 : 10_000 / 90
      expect(delays.length).toBeLessThanOrEqual(itself + fn.mock.calls.length + 1)
      manual.advance(1000)
      const isLeading = 'leading' in options || kind === 'throttle'
      expect(setByCalls).toBe(fn.mock.calls.length - (isLeading ? 1 : 0))
      expect(cancelled).toEqual([])
    },
  )

  it.each<[Kind, DebounceOptions, number]>([
    ['debounce', leadsOnly, 100],
    ['throttle', { trailing: false }, 100],
    ['debounce', leads, 1],
  ])('are none for the leading calls of a %s with %o', (kind, options, calls) => {
    const { clock, callAt } = setUp(kind, 100, options)
    for (let call = 0; call < calls; call++) callAt(30 * call)
    expect(clock.pending).toBe(0)
  })
})

describe('on a busy main thread, whose timers are late', () => {
  function setUpBusy(kind: Kind, options: DebounceOptions = {}) {
    const { clock, advance, block } = createBusyClock()
    const runs: [at: number, argument: number][] = []
    const note = (argument: number): void => void runs.push([clock.now(), argument])
    return { advance, block, held: kinds[kind](note, 100, { ...options, clock }), runs }
  }

  it.each<[does: string, Kind, DebounceOptions, calls: number[], runs: string[]]>([
    ['leads again for the first call after wait', 'debounce', leadsOnly, [500], ['0: 0', '500: 500']],
    ['leads again for the first call after wait', 'debounce', leads, [500], ['0: 0', '500: 500']],
    ['keeps the last arguments', 'debounce', {}, [500], ['600: 500']],
    ['runs as soon as it can', 'debounce', {}, [], ['500: 0']],
    [
      'runs at once for a call past its maxWait',
      'debounce',
      { maxWait: 150 },
      [500, 501],
      ['500: 500', '600: 501'],
    ],
    ['leads again, once', 'throttle', { trailing: false }, [500, 501], ['0: 0', '500: 500']],
    ['runs a call in place of the one that waited', 'throttle', { leading: false }, [500], ['500: 500']],
  ])('%s: %s %o', (_, kind, options, calls, expected) => {
    const { advance, block, held, runs } = setUpBusy(kind, options)
    held(0)
    block(500)
    for (const n of calls) held(n)
    advance(1000)
    expect(runs.map(([at, n]) => `${at}: ${n}`)).toEqual(expected)
  })

  it('keeps wait of a throttle after a late run', () => {
    const { advance, block, held, runs } = setUpBusy('throttle')
    held(0)
    advance(50)
    held(50)
    block(200)
    advance(10)
    held(260)
    advance(1000)
    expect(runs.map(([at]) => at)).toEqual([0, 250, 350])
  })

  it('runs at once for a call at the instant of its maxWait that comes before the timer', () => {
    const { clock, held, runs, callAt, goTo } = setUp('debounce', 100, { maxWait: 100 })
    const answers: unknown[] = []
    // Set first, so that it comes first.
    clock.after(100, () => answers.push(held(100)))
    for (const at of [0, 60]) callAt(at)
    goTo(1000)
    expect(answers).toEqual([100])
    expect(runs).toEqual(['100: 100'])
  })

  it('never runs a throttle twice closer than wait, and never loses the last call', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('call' as const) }),
      fc.record({ do: fc.constantFrom('advance' as const, 'block' as const), ms: fc.nat({ max: 150 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 40 }), fc.boolean(), (steps, leading) => {
        const { advance, block, held, runs } = setUpBusy('throttle', { leading })
        let calls = 0
        for (const step of steps) {
          if (step.do === 'call') held(++calls)
          else if (step.do === 'advance') advance(step.ms)
          else block(step.ms)
        }
        advance(1000)
        const gaps = runs.map(([at], index) => at - (runs[index - 1]?.[0] ?? -Infinity))
        expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(100)
        expect(runs.at(-1)?.[1] ?? 0).toBe(calls)
      }),
      tries(1000),
    )
  })
})
