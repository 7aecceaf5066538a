import fc from 'fast-check'
import { throttle, type ThrottleOptions } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createBusyClock, createTestClock, recordTimers } from '../time/clocks.ts'
import { named } from '../shared/named.ts'
import { tries } from '../../laws/tries.ts'

// What it has in common with debounce and throttleFrame is in held.test.ts, laws are in debounce-laws.test.ts.

/** What a run did, as `[instant, instant of the call]`. */
type Run = [at: number, argument: number]

/** A throttled function that notes its runs, and a way to call it at an instant, which is the argument. */
function setUp(wait: number, options: ThrottleOptions = {}, inside?: (argument: number) => void) {
  const clock = createTestClock()
  const runs: Run[] = []
  const throttled = throttle(
    (argument: number) => {
      runs.push([clock.now(), argument])
      inside?.(argument)
      return argument
    },
    wait,
    { clock, ...options },
  )
  const goTo = (at: number) => {
    // To advance by 0 is to end the task.
    if (at > clock.now()) clock.advance(at - clock.now())
  }
  const callAt = (at: number) => {
    goTo(at)
    return throttled(at)
  }
  return { clock, throttled, runs, goTo, callAt }
}

describe('timing', () => {
  it.each(
    named<{ does: string; options: ThrottleOptions; calls: number[]; runs: Run[] }>([
      {
        does: 'runs a lone call at once, and only once',
        options: {},
        calls: [0, 100, 300],
        runs: [
          [0, 0],
          [100, 100],
          [300, 300],
        ],
      },
      {
        does: 'runs the last call of each wait while calls come',
        options: {},
        calls: [0, 30, 60, 90, 100, 130, 160, 190, 200, 201],
        runs: [
          [0, 0],
          [100, 90],
          [200, 190],
          [300, 201],
        ],
      },
      {
        does: 'keeps wait between the trailing run of a burst and the next call',
        options: {},
        calls: [0, 5, 106],
        runs: [
          [0, 0],
          [100, 5],
          [200, 106],
        ],
      },
      {
        does: 'does not run the first call at once with the trailing edge alone',
        options: { leading: false },
        calls: [0, 30, 120, 500],
        runs: [
          [100, 30],
          [220, 120],
          [600, 500],
        ],
      },
      {
        does: 'runs the first call in each wait alone with the leading edge alone',
        options: { trailing: false },
        calls: [0, 30, 99, 100, 150, 230],
        runs: [
          [0, 0],
          [100, 100],
          [230, 230],
        ],
      },
      {
        does: 'takes undefined edges for the defaults',
        options: { leading: undefined, trailing: undefined },
        calls: [0, 50],
        runs: [
          [0, 0],
          [100, 50],
        ],
      },
      {
        does: 'never runs with both edges off',
        options: { leading: false, trailing: false },
        calls: [0, 50, 100, 150, 300],
        runs: [],
      },
    ]),
  )('%s', (_, { options, calls, runs }) => {
    const all = setUp(100, options)
    for (const at of calls) all.callAt(at)
    all.clock.advance(1000)
    expect(all.runs).toEqual(runs)
  })

  it('keeps wait after a run that was flushed', () => {
    const { callAt, goTo, throttled, runs } = setUp(100)
    callAt(0)
    callAt(50)
    goTo(60)
    throttled.flush()
    callAt(120)
    goTo(1000)
    expect(runs).toEqual([
      [0, 0],
      [60, 50],
      [160, 120],
    ])
  })

  it('leads again after a cancel', () => {
    const { callAt, goTo, throttled, runs } = setUp(100)
    callAt(0)
    callAt(50)
    throttled.cancel()
    callAt(60)
    callAt(70)
    goTo(1000)
    expect(runs).toEqual([
      [0, 0],
      [60, 60],
      [160, 70],
    ])
  })

  it('runs every call at a wait of 0', () => {
    const { clock, throttled, runs } = setUp(0)
    throttled(1)
    throttled(2)
    throttled(3)
    clock.advance(1)
    expect(runs).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ])
  })

  it('runs once at an endless wait, and then what is flushed', () => {
    const { clock, callAt, throttled, runs } = setUp(Infinity)
    callAt(0)
    callAt(5)
    expect(clock.pending).toBe(0)
    callAt(1e12)
    expect(throttled.isPending()).toBe(true)
    throttled.flush()
    expect(runs).toEqual([
      [0, 0],
      [1e12, 1e12],
    ])
  })

  it('is not pending after a call that ran at once', () => {
    const { callAt, goTo, throttled } = setUp(100)
    const listener = vi.fn()
    throttled.subscribe(listener)
    callAt(0)
    expect(throttled.isPending()).toBe(false)
    expect(listener).not.toHaveBeenCalled()
    callAt(10)
    expect(throttled.isPending()).toBe(true)
    goTo(100)
    expect(throttled.isPending()).toBe(false)
    expect(listener).toHaveBeenCalledTimes(2)
  })
})

describe('configure', () => {
  it.each(
    named<{ does: string; from: number; to: number; at: number; runs: Run[] }>([
      {
        does: 'brings a run forward to the last run and the new wait',
        from: 1000,
        to: 100,
        at: 50,
        runs: [
          [0, 0],
          [100, 10],
        ],
      },
      {
        does: 'runs what is past due in the next task',
        from: 1000,
        to: 100,
        at: 300,
        runs: [
          [0, 0],
          [300, 10],
        ],
      },
      {
        does: 'puts a run off to the last run and the new wait',
        from: 100,
        to: 1000,
        at: 50,
        runs: [
          [0, 0],
          [1000, 10],
        ],
      },
    ]),
  )('%s', (_, { from, to, at, runs }) => {
    const all = setUp(from)
    all.callAt(0)
    all.callAt(10)
    all.goTo(at)
    all.throttled.configure({ wait: to })
    expect(all.runs).toEqual([[0, 0]])
    all.clock.advance(10_000)
    expect(all.runs).toEqual(runs)
  })

  it('brings the runs to come forward too where none is pending', () => {
    const { callAt, goTo, throttled, runs } = setUp(100)
    for (const at of [0, 90, 180, 205]) callAt(at)
    expect(throttled.isPending()).toBe(false)
    throttled.configure({ wait: 5 })
    callAt(207)
    goTo(1000)
    expect(runs).toEqual([
      [0, 0],
      [100, 90],
      [205, 205],
      [210, 207],
    ])
  })

  it('keeps the new wait between runs', () => {
    const { clock, throttled, runs } = setUp(100)
    throttled.configure({ wait: 20 })
    for (let call = 0; call < 10; call++) {
      throttled(clock.now())
      clock.advance(10)
    }
    clock.advance(100)
    expect(runs.map(([at]) => at)).toEqual([0, 20, 40, 60, 80, 100])
  })

  it('never loses the last call, whatever the wait becomes', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ call: fc.nat({ max: 50 }) }) },
      { weight: 1, arbitrary: fc.record({ wait: fc.constantFrom(0, 10, 100, 1000) }) },
    )
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 30 }), fc.boolean(), (steps, leading) => {
        const clock = createTestClock()
        const runs: number[] = []
        const throttled = throttle((n: number) => void runs.push(n), 100, { leading, clock })
        let calls = 0
        for (const step of steps) {
          if ('wait' in step) throttled.configure({ wait: step.wait })
          else {
            throttled(++calls)
            clock.advance(step.call)
          }
        }
        clock.advance(1000)
        expect(runs.at(-1) ?? 0).toBe(calls)
      }),
      tries(500),
    )
  })
})

describe('errors', () => {
  const bad = new Error('bad')

  it('throws to the caller from the leading edge, and goes on', () => {
    const onError = vi.fn()
    const { clock, callAt, runs } = setUp(100, { onError }, (argument) => {
      if (argument === 0) throw bad
    })
    expect(() => callAt(0)).toThrow(bad)
    callAt(50)
    clock.advance(1000)
    expect(runs).toEqual([
      [0, 0],
      [100, 50],
    ])
    expect(onError).not.toHaveBeenCalled()
  })

  it('gives onError what the trailing edge throws, and goes on', () => {
    const onError = vi.fn()
    const { clock, callAt, runs } = setUp(100, { onError }, (argument) => {
      if (argument === 50) throw bad
    })
    callAt(0)
    callAt(50)
    callAt(110)
    clock.advance(1000)
    expect(onError.mock.calls).toEqual([[bad]])
    expect(runs).toEqual([
      [0, 0],
      [100, 50],
      [210, 110],
    ])
  })
})

describe('from inside a run', () => {
  it.each([
    ['both edges', {}, [0, 100, 200, 300]],
    ['the trailing edge', { leading: false }, [100, 200, 300, 400]],
    ['the leading edge', { trailing: false }, [0]],
  ])('keeps wait before what it calls with %s', (_, options, instants) => {
    const all = setUp(100, options, (argument) => {
      if (argument < 3) all.throttled(argument + 1)
    })
    all.callAt(0)
    all.clock.advance(1000)
    expect(all.runs).toEqual(instants.map((at, argument) => [at, argument]))
  })

  it('begins anew by a cancel', () => {
    const all = setUp(100, {}, (argument) => {
      if (argument === 0) all.throttled.cancel()
    })
    all.callAt(0)
    all.callAt(10)
    all.callAt(20)
    all.clock.advance(1000)
    expect(all.runs).toEqual([
      [0, 0],
      [10, 10],
      [110, 20],
    ])
  })

  it('takes a new wait', () => {
    const all = setUp(100, {}, (argument) => {
      if (argument === 0) all.throttled.configure({ wait: 20 })
    })
    all.callAt(0)
    all.callAt(10)
    all.clock.advance(1000)
    expect(all.runs).toEqual([
      [0, 0],
      [20, 10],
    ])
  })
})

describe('timers', () => {
  it('sets one for a burst within wait, and cancels none', () => {
    const manual = createTestClock()
    const { clock, delays, cancelled } = recordTimers(manual)
    const throttled = throttle(vi.fn(), 1000, { clock })
    for (let call = 0; call < 1000; call++) {
      throttled()
      if (call < 999) manual.advance(1)
    }
    expect(delays).toEqual([999])
    manual.advance(1000)
    expect(delays).toHaveLength(1)
    expect(cancelled).toEqual([])
  })

  it('sets one for each wait of a long burst, and cancels none', () => {
    const manual = createTestClock()
    const { clock, delays, cancelled } = recordTimers(manual)
    const throttled = throttle(vi.fn(), 100, { clock })
    for (let call = 0; call < 1000; call++) {
      throttled()
      manual.advance(10)
    }
    expect(delays.length).toBeLessThanOrEqual(100)
    manual.advance(1000)
    expect(cancelled).toEqual([])
  })

  it('sets none with the leading edge alone', () => {
    const manual = createTestClock()
    const { clock, delays } = recordTimers(manual)
    const throttled = throttle(vi.fn(), 100, { trailing: false, clock })
    for (let call = 0; call < 100; call++) {
      throttled()
      manual.advance(30)
    }
    expect(delays).toEqual([])
  })
})

describe('on a busy main thread, whose timers are late', () => {
  function setUpBusy(options: ThrottleOptions) {
    const { clock, advance, block } = createBusyClock()
    const runs: Run[] = []
    const note = (argument: number) => void runs.push([clock.now(), argument])
    return { clock, advance, block, throttled: throttle(note, 100, { ...options, clock }), runs }
  }

  it('runs a call that comes before the late timer at once, in place of the one that waited', () => {
    const { advance, block, throttled, runs } = setUpBusy({})
    throttled(0)
    advance(50)
    throttled(50)
    block(200)
    throttled(250)
    advance(1000)
    expect(runs).toEqual([
      [0, 0],
      [250, 250],
    ])
  })

  it('keeps wait after a late run', () => {
    const { advance, block, throttled, runs } = setUpBusy({})
    throttled(0)
    advance(50)
    throttled(50)
    block(200)
    advance(10)
    throttled(260)
    advance(1000)
    expect(runs).toEqual([
      [0, 0],
      [250, 50],
      [350, 260],
    ])
  })

  it('leads again for the first call after wait with the leading edge alone', () => {
    const { block, throttled, runs } = setUpBusy({ trailing: false })
    throttled(0)
    block(500)
    throttled(500)
    throttled(501)
    expect(runs).toEqual([
      [0, 0],
      [500, 500],
    ])
  })

  it('never runs twice closer than wait, and never loses the last call', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('call' as const) }),
      fc.record({ do: fc.constantFrom('advance' as const, 'block' as const), ms: fc.nat({ max: 150 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 40 }), fc.boolean(), (steps, leading) => {
        const { advance, block, throttled, runs } = setUpBusy({ leading })
        let calls = 0
        for (const step of steps) {
          if (step.do === 'call') throttled(++calls)
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
