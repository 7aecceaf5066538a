import { debounce, type DebounceChanges, type DebounceOptions } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createBusyClock, createTestClock, recordTimers } from '../time/clocks.ts'
import { named } from '../shared/named.ts'

// What it has in common with throttle and throttleFrame is in held.test.ts, laws are in debounce-laws.test.ts.

/** What a run did, as `[instant, instant of the call]`. */
type Run = [at: number, argument: number]

/** A debounced function that notes its runs, and a way to call it at an instant, which is the argument. */
function setUp(wait: number, options: DebounceOptions = {}, inside?: (argument: number) => void) {
  const clock = createTestClock()
  const runs: Run[] = []
  const debounced = debounce(
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
    return debounced(at)
  }
  return { clock, debounced, runs, goTo, callAt }
}

describe('timing', () => {
  it.each(
    named<{ does: string; wait?: number; options: DebounceOptions; calls: number[]; runs: Run[] }>([
      {
        does: 'runs wait after a lone call',
        options: {},
        calls: [0],
        runs: [[100, 0]],
      },
      {
        does: 'runs once, wait after the last call of a burst',
        options: {},
        calls: [0, 50, 120, 219],
        runs: [[319, 219]],
      },
      {
        does: 'begins another burst after wait of quiet',
        options: {},
        calls: [0, 50, 150, 400],
        runs: [
          [150, 50],
          [250, 150],
          [500, 400],
        ],
      },
      {
        does: 'runs at the first call of each burst with the leading edge alone',
        options: { leading: true, trailing: false },
        calls: [0, 50, 149, 248, 348],
        runs: [
          [0, 0],
          [348, 348],
        ],
      },
      {
        does: 'runs a lone call once with both edges',
        options: { leading: true },
        calls: [0, 100],
        runs: [
          [0, 0],
          [100, 100],
        ],
      },
      {
        does: 'runs the first and the last call of a burst with both edges',
        options: { leading: true },
        calls: [0, 50, 120],
        runs: [
          [0, 0],
          [220, 120],
        ],
      },
      {
        does: 'does not wait longer than maxWait while a burst goes on',
        options: { maxWait: 150 },
        calls: [0, 50, 100, 150, 200, 250, 300],
        runs: [
          [150, 100],
          [300, 250],
          [400, 300],
        ],
      },
      {
        does: 'raises a maxWait below wait to it',
        options: { maxWait: 20 },
        calls: [0, 40, 80, 120],
        runs: [
          [100, 80],
          [220, 120],
        ],
      },
      {
        does: 'takes maxWait undefined for none',
        options: { maxWait: undefined },
        calls: [0, 50, 100, 150, 200],
        runs: [[300, 200]],
      },
      {
        does: 'takes maxWait Infinity for none',
        options: { maxWait: Infinity },
        calls: [0, 50, 100, 150, 200],
        runs: [[300, 200]],
      },
      {
        does: 'takes undefined edges for the defaults',
        options: { leading: undefined, trailing: undefined },
        calls: [0, 50],
        runs: [[150, 50]],
      },
      {
        does: 'never runs with both edges off',
        options: { leading: false, trailing: false, maxWait: 120 },
        calls: [0, 50, 100, 150, 300],
        runs: [],
      },
      {
        does: 'runs in the next task at a wait of 0',
        wait: 0,
        options: {},
        calls: [5, 5, 7],
        runs: [
          [5, 5],
          [7, 7],
        ],
      },
    ]),
  )('%s', (_, { wait = 100, options, calls, runs }) => {
    const all = setUp(wait, options)
    for (const at of calls) all.callAt(at)
    all.clock.advance(1000)
    expect(all.runs).toEqual(runs)
  })

  it('runs once in each task at a wait of 0 with the leading edge', () => {
    const { clock, debounced, runs } = setUp(0, { leading: true })
    debounced(1)
    debounced(2)
    debounced(3)
    clock.advance(0)
    debounced(4)
    clock.advance(0)
    debounced(5)
    clock.advance(0)
    expect(runs.map(([, argument]) => argument)).toEqual([1, 3, 4, 5])
  })

  it('answers what the last run returned, at each edge', () => {
    const { callAt, goTo, debounced } = setUp(100, { leading: true })
    expect(callAt(0)).toBe(0)
    expect(callAt(50)).toBe(0)
    goTo(150)
    expect(debounced.flush()).toBe(50)
    expect(callAt(160)).toBe(160)
  })

  it('is not pending after a call that ran at once', () => {
    const { callAt, debounced, goTo } = setUp(100, { leading: true })
    const listener = vi.fn()
    debounced.subscribe(listener)
    callAt(0)
    expect(debounced.isPending()).toBe(false)
    expect(listener).not.toHaveBeenCalled()
    callAt(10)
    expect(debounced.isPending()).toBe(true)
    goTo(200)
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('is never pending with the leading edge alone', () => {
    const { callAt, debounced } = setUp(100, { leading: true, trailing: false })
    const listener = vi.fn()
    debounced.subscribe(listener)
    callAt(0)
    callAt(10)
    expect(debounced.isPending()).toBe(false)
    expect(debounced.flush()).toBe(0)
    expect(listener).not.toHaveBeenCalled()
  })
})

describe('configure', () => {
  it.each(
    named<{ does: string; options?: DebounceOptions; changes: DebounceChanges; at: number; runs: Run[] }>([
      {
        does: 'brings a run forward to the last call and the new wait',
        changes: { wait: 100 },
        at: 50,
        runs: [[100, 0]],
      },
      { does: 'runs what is past due in the next task', changes: { wait: 100 }, at: 300, runs: [[300, 0]] },
      {
        does: 'puts a run off to the last call and the new wait',
        changes: { wait: 5000 },
        at: 50,
        runs: [[5000, 0]],
      },
      {
        does: 'keeps what is pending when the trailing edge goes',
        changes: { trailing: false },
        at: 50,
        runs: [[1000, 0]],
      },
      { does: 'leaves as it is what is undefined', changes: { wait: undefined }, at: 50, runs: [[1000, 0]] },
      { does: 'leaves as it is what is absent', changes: {}, at: 50, runs: [[1000, 0]] },
    ]),
  )('%s', (_, { options, changes, at, runs }) => {
    const all = setUp(1000, options)
    all.callAt(0)
    all.goTo(at)
    all.debounced.configure(changes)
    expect(all.runs).toEqual([])
    expect(all.debounced.isPending()).toBe(true)
    all.clock.advance(10_000)
    expect(all.runs).toEqual(runs)
  })

  it('measures the new wait from the last call, not from the first', () => {
    const { callAt, goTo, debounced, runs } = setUp(1000)
    callAt(0)
    callAt(200)
    goTo(250)
    debounced.configure({ wait: 100 })
    goTo(2000)
    expect(runs).toEqual([[300, 200]])
  })

  it('runs by the maxWait that it is given while pending, counted from the start of the burst', () => {
    const { callAt, goTo, debounced, runs } = setUp(100)
    for (const at of [0, 60, 120]) callAt(at)
    debounced.configure({ maxWait: 150 })
    callAt(145)
    goTo(1000)
    expect(runs).toEqual([[150, 145]])
  })

  it('gives edges to the calls that come after', () => {
    const { callAt, goTo, debounced, runs } = setUp(100, { leading: true, trailing: false })
    callAt(0)
    debounced.configure({ leading: false, trailing: true })
    callAt(50)
    goTo(300)
    debounced.configure({ leading: true })
    callAt(400)
    goTo(1000)
    expect(runs).toEqual([
      [0, 0],
      [150, 50],
      [400, 400],
    ])
  })

  it('moves the end of a leading burst that is under way', () => {
    const { callAt, debounced, runs } = setUp(100, { leading: true, trailing: false })
    callAt(0)
    debounced.configure({ wait: 20 })
    callAt(30)
    debounced.configure({ wait: 200 })
    callAt(150)
    expect(runs).toEqual([
      [0, 0],
      [30, 30],
    ])
  })

  it('answers to an endless wait and back', () => {
    const { clock, callAt, goTo, debounced, runs } = setUp(100)
    callAt(0)
    debounced.configure({ wait: Infinity })
    goTo(10_000)
    expect(clock.pending).toBe(0)
    expect(debounced.isPending()).toBe(true)
    debounced.configure({ wait: 10_100 })
    goTo(20_000)
    expect(runs).toEqual([[10_100, 0]])
  })

  it('gives an endless wait an end from the last call on, however long ago the first one was', () => {
    const { callAt, goTo, debounced, runs } = setUp(Infinity)
    callAt(0)
    callAt(10_000)
    debounced.configure({ wait: 100, maxWait: 100 })
    goTo(20_000)
    expect(runs).toEqual([[10_100, 10_000]])
  })

  it('that changes nothing of the time leaves a burst that has run by its maxWait as it is', () => {
    for (const isConfigured of [false, true]) {
      const { callAt, goTo, debounced, runs } = setUp(100, { maxWait: 100 })
      callAt(0)
      callAt(90)
      goTo(110)
      if (isConfigured) debounced.configure({})
      callAt(120)
      goTo(1000)
      expect(runs).toEqual([
        [100, 90],
        [220, 120],
      ])
    }
  })

  it('does not tell listeners, since what is pending stays so', () => {
    const { callAt, goTo, debounced } = setUp(100)
    const listener = vi.fn()
    callAt(0)
    debounced.subscribe(listener)
    debounced.configure({ wait: 50 })
    expect(listener).not.toHaveBeenCalled()
    goTo(100)
  })

  it('brings back to life what was disposed of, when it turns an edge on', () => {
    const { callAt, goTo, debounced, runs } = setUp(100)
    debounced[Symbol.dispose]()
    callAt(0)
    debounced.configure({ trailing: true })
    callAt(200)
    goTo(1000)
    expect(runs).toEqual([[300, 200]])
  })
})

describe('errors', () => {
  const bad = new Error('bad')
  const throwOn = (...arguments_: number[]) => {
    return (argument: number) => {
      if (arguments_.includes(argument)) throw bad
    }
  }

  it('throws to the caller from the leading edge, and goes on', () => {
    const onError = vi.fn()
    const { clock, callAt, runs } = setUp(100, { leading: true, onError }, throwOn(0))
    expect(() => callAt(0)).toThrow(bad)
    expect(callAt(50)).toBe(undefined)
    expect(callAt(300)).toBe(300)
    clock.advance(1000)
    expect(runs).toEqual([
      [0, 0],
      [150, 50],
      [300, 300],
    ])
    expect(onError).not.toHaveBeenCalled()
  })

  it('gives onError what the trailing edge throws, once, and goes on', () => {
    const onError = vi.fn()
    const { clock, callAt, debounced, runs } = setUp(100, { onError }, throwOn(0))
    callAt(0)
    clock.advance(100)
    expect(onError.mock.calls).toEqual([[bad]])
    expect(debounced.isPending()).toBe(false)
    expect(debounced.flush()).toBe(undefined)
    callAt(300)
    clock.advance(1000)
    expect(runs).toEqual([
      [100, 0],
      [400, 300],
    ])
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it('gives onError what a maxWait run throws, and goes on', () => {
    const onError = vi.fn()
    const { clock, callAt, runs } = setUp(100, { maxWait: 150, onError }, throwOn(90))
    for (const at of [0, 90, 160, 240]) callAt(at)
    clock.advance(1000)
    expect(onError.mock.calls).toEqual([[bad]])
    expect(runs).toEqual([
      [150, 90],
      [300, 240],
    ])
  })

  it('surfaces from the timer what the trailing edge throws, without onError', () => {
    const { clock, callAt, runs } = setUp(100, {}, throwOn(0))
    callAt(0)
    expect(() => clock.advance(100)).toThrow(bad)
    callAt(300)
    clock.advance(1000)
    expect(runs).toEqual([
      [100, 0],
      [400, 300],
    ])
  })

  it('surfaces from the timer what onError throws', () => {
    const onError = () => {
      throw new Error('worse')
    }
    const { clock, callAt, debounced } = setUp(100, { onError }, throwOn(0))
    callAt(0)
    expect(() => clock.advance(100)).toThrow('worse')
    expect(debounced.isPending()).toBe(false)
  })

  it('throws from flush to who flushes, not to onError', () => {
    const onError = vi.fn()
    const { clock, callAt, debounced, runs } = setUp(100, { onError }, throwOn(0))
    callAt(0)
    expect(() => debounced.flush()).toThrow(bad)
    callAt(50)
    clock.advance(1000)
    expect(onError).not.toHaveBeenCalled()
    expect(runs).toEqual([
      [0, 0],
      [150, 50],
    ])
  })
})

describe('from inside a run', () => {
  it('holds a call back from the leading edge with both edges', () => {
    const all = setUp(100, { leading: true }, (argument) => {
      if (argument < 2) all.debounced(argument + 1)
    })
    all.callAt(0)
    all.clock.advance(1000)
    // The run at 100 is the end of a burst: what it calls begins the next.
    expect(all.runs).toEqual([
      [0, 0],
      [100, 1],
      [100, 2],
    ])
  })

  it('drops a call from the leading edge with the leading edge alone', () => {
    const all = setUp(100, { leading: true, trailing: false }, () => all.debounced(1))
    all.callAt(0)
    all.clock.advance(1000)
    expect(all.runs).toEqual([[0, 0]])
  })

  it('waits for a call from the trailing edge', () => {
    const all = setUp(100, {}, (argument) => {
      if (argument < 2) all.debounced(argument + 1)
    })
    all.callAt(0)
    all.clock.advance(1000)
    expect(all.runs).toEqual([
      [100, 0],
      [200, 1],
      [300, 2],
    ])
  })

  it('begins anew by a cancel at the leading edge', () => {
    const all = setUp(100, { leading: true }, (argument) => {
      if (argument === 0) all.debounced.cancel()
    })
    all.callAt(0)
    all.callAt(10)
    all.callAt(20)
    all.clock.advance(1000)
    expect(all.runs).toEqual([
      [0, 0],
      [10, 10],
      [120, 20],
    ])
  })

  it.each([
    ['leading', { leading: true }, [0, 20]],
    ['trailing', {}, [100, 120]],
  ])('takes a new wait at the %s edge', (_, options, instants) => {
    const all = setUp(100, options, (argument) => {
      if (argument !== 0) return
      all.debounced.configure({ wait: 20 })
      all.debounced(1)
    })
    all.callAt(0)
    all.clock.advance(1000)
    expect(all.runs.map(([at]) => at)).toEqual(instants)
  })

  it('does not overflow the stack at a wait of 0', () => {
    const all = setUp(0, { leading: true }, (argument) => {
      if (argument < 10_000) all.debounced(argument + 1)
    })
    all.callAt(0)
    all.clock.advance(1000)
    expect(all.runs).toHaveLength(10_001)
  })

  it('lets a listener call, flush and cancel', () => {
    const { clock, debounced, runs } = setUp(100)
    let told = 0
    debounced.subscribe(() => {
      told++
      if (told === 1) debounced.flush()
      if (told === 3) debounced.cancel()
    })
    debounced(1)
    expect(runs).toEqual([[0, 1]])
    debounced(2)
    clock.advance(1000)
    expect(runs).toEqual([[0, 1]])
    expect(told).toBe(4)
  })
})

describe('long waits', () => {
  const LONGEST_MS = 2 ** 31 - 1

  it.each([2 ** 31, 2 ** 31 + 0.5, 1e12, Infinity])(
    'does not run %d ms early, and asks for no longer timer than there is',
    (wait) => {
      for (const startMs of [0, 0.1, 123.456, 25_102.852341022208, 2 ** 41]) {
        const manual = createTestClock(startMs)
        const { clock, delays } = recordTimers(manual)
        const fn = vi.fn()
        const debounced = debounce(fn, wait, { clock })
        debounced()
        manual.advance(1000)
        debounced()
        manual.advance(1000)
        expect(fn).not.toHaveBeenCalled()
        // Platforms take a whole number of milliseconds; one that is too long they take for 1.
        expect(Math.ceil(Math.max(0, ...delays))).toBeLessThanOrEqual(LONGEST_MS)
        expect(delays).toHaveLength(wait < Infinity ? 1 : 0)
        expect(debounced.isPending()).toBe(true)
        debounced.cancel()
      }
    },
  )

  it.each([2 ** 31, 1e11, 1e12])('runs exactly when it is due, %d ms on', (wait) => {
    const { clock, callAt, runs } = setUp(wait)
    callAt(0)
    clock.advance(wait - 1)
    expect(runs).toEqual([])
    clock.advance(1)
    expect(runs).toEqual([[wait, 0]])
  })

  it('flushes what waits without end', () => {
    const { clock, callAt, debounced, runs } = setUp(Infinity)
    callAt(0)
    callAt(50)
    clock.advance(1e15)
    expect(debounced.flush()).toBe(50)
    expect(runs).toEqual([[1e15 + 50, 50]])
  })

  it('runs the leading edge once for ever at an endless wait', () => {
    const { clock, callAt, runs } = setUp(Infinity, { leading: true, trailing: false })
    callAt(0)
    callAt(1e15)
    expect(runs).toEqual([[0, 0]])
    expect(clock.pending).toBe(0)
  })
})

describe('timers', () => {
  it('sets one for a burst within wait, and cancels none', () => {
    const manual = createTestClock()
    const { clock, delays, cancelled } = recordTimers(manual)
    const debounced = debounce(vi.fn(), 1000, { clock })
    for (let call = 0; call < 1000; call++) {
      debounced()
      if (call < 999) manual.advance(1)
    }
    expect(delays).toEqual([1000])
    manual.advance(2000)
    expect(delays).toEqual([1000, 999])
    expect(cancelled).toEqual([])
  })

  it.each([
    ['the trailing edge', {}],
    ['both edges', { leading: true }],
    ['maxWait', { maxWait: 250 }],
  ])('has one in a long burst with %s, set by one call for each run and then by itself', (_, options) => {
    const manual = createTestClock()
    const { clock, delays, cancelled } = recordTimers(manual)
    const fn = vi.fn()
    const debounced = debounce(fn, 100, { ...options, clock })
    let setByCalls = 0
    for (let call = 0; call < 1000; call++) {
      const before = delays.length
      debounced()
      setByCalls += delays.length - before
      expect(manual.pending).toBeLessThanOrEqual(1)
      manual.advance(10)
    }
    // Each time that it fires, the last call is 10 ms old, so that it is set again for the other 90.
    const itself = 10_000 / 90
    expect(delays.length).toBeLessThanOrEqual(itself + fn.mock.calls.length + 1)
    manual.advance(1000)
    const lastRuns = fn.mock.calls.length
    expect(setByCalls).toBe('leading' in options ? lastRuns - 1 : lastRuns)
    expect(cancelled).toEqual([])
  })

  it('sets none with the leading edge alone', () => {
    const manual = createTestClock()
    const { clock, delays } = recordTimers(manual)
    const debounced = debounce(vi.fn(), 100, { leading: true, trailing: false, clock })
    for (let call = 0; call < 100; call++) {
      debounced()
      manual.advance(30)
    }
    expect(delays).toEqual([])
  })

  it('sets none for the leading call of a burst', () => {
    const { clock, callAt } = setUp(100, { leading: true })
    callAt(0)
    expect(clock.pending).toBe(0)
    callAt(10)
    expect(clock.pending).toBe(1)
    clock.advance(100)
  })

  it('leaves none behind when it is flushed', () => {
    const { clock, callAt, debounced } = setUp(100)
    callAt(0)
    debounced.flush()
    expect(clock.pending).toBe(0)
  })
})

describe('on a busy main thread, whose timers are late', () => {
  function setUpBusy(options: DebounceOptions) {
    const { clock, advance, block } = createBusyClock()
    const runs: Run[] = []
    const debounced = debounce((argument: number) => void runs.push([clock.now(), argument]), 100, {
      ...options,
      clock,
    })
    return { clock, advance, block, debounced, runs }
  }

  it.each([
    ['the leading edge alone', { leading: true, trailing: false }],
    ['both edges', { leading: true }],
  ])('leads again for the first call after wait with %s', (_, options) => {
    const { advance, block, debounced, runs } = setUpBusy(options)
    debounced(0)
    block(500)
    debounced(500)
    advance(1000)
    expect(runs).toEqual([
      [0, 0],
      [500, 500],
    ])
  })

  it('keeps the last arguments of a call that comes before the late timer', () => {
    const { advance, block, debounced, runs } = setUpBusy({})
    debounced(0)
    block(500)
    debounced(500)
    advance(1000)
    expect(runs).toEqual([[600, 500]])
  })

  it('runs at once for a call at the instant of its maxWait that comes before the timer', () => {
    const { clock, debounced, runs, callAt, goTo } = setUp(100, { maxWait: 100 })
    const answers: unknown[] = []
    // Set first, so that it comes first.
    clock.after(100, () => answers.push(debounced(100)))
    callAt(0)
    callAt(60)
    goTo(100)
    expect(answers).toEqual([100])
    goTo(1000)
    expect(runs).toEqual([[100, 100]])
  })

  it('runs as soon as it can where no call came meanwhile', () => {
    const { advance, block, debounced, runs } = setUpBusy({})
    debounced(0)
    block(500)
    advance(1000)
    expect(runs).toEqual([[500, 0]])
  })

  it('runs at once for a call that comes past its maxWait', () => {
    const { advance, block, debounced, runs } = setUpBusy({ maxWait: 150 })
    debounced(0)
    block(500)
    debounced(500)
    debounced(501)
    advance(1000)
    expect(runs).toEqual([
      [500, 500],
      [600, 501],
    ])
  })
})
