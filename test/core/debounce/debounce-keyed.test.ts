import { debounceKeyed, type DebounceKeyedOptions } from 'lull/core'
import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createBusyClock, createTestClock, recordTimers } from '../time/clocks.ts'

// Laws are in debounce-keyed-laws.test.ts.

type Options = Partial<DebounceKeyedOptions<[key: string, value?: number], string>>

/** A run, as `[instant, key, instant of the call]`. */
type Run = [at: number, key: string, value: number]

/** A debounce by key that notes its runs, and a way to call it at an instant, which is the value. */
function setUp(wait: number, options: Options = {}, inside?: (key: string, value: number) => void) {
  const clock = createTestClock()
  const runs: Run[] = []
  const keyed = debounceKeyed(
    (key: string, value = clock.now()) => {
      runs.push([clock.now(), key, value])
      inside?.(key, value)
      return `${key} of ${value}`
    },
    wait,
    { clock, key: (key) => key, ...options },
  )
  const goTo = (at: number) => {
    if (at > clock.now()) clock.advance(at - clock.now())
  }
  const callAt = (at: number, key: string) => {
    goTo(at)
    return keyed(key, at)
  }
  return { clock, keyed, runs, goTo, callAt }
}

const leadingOnly = { leading: true, trailing: false }

describe('theme 32, one debouncer for many ids', () => {
  it('has a size of 0 after a while of quiet, and a key that is gone works again', () => {
    const { clock, keyed, callAt, goTo, runs } = setUp(100)
    callAt(0, 'a')
    callAt(0, 'b')
    expect(keyed.size).toBe(2)
    goTo(99)
    expect(keyed.size).toBe(2)
    goTo(100)
    expect(keyed.size).toBe(0)
    expect(clock.pending).toBe(0)
    callAt(100, 'a')
    goTo(1000)
    expect(runs.at(-1)).toEqual([200, 'a', 100])
    expect(keyed.size).toBe(0)
  })

  it('is bounded by maxKeys, and loses no call to it', () => {
    const { keyed, runs, clock } = setUp(100, { maxKeys: 10 })
    for (let id = 0; id < 1000; id++) {
      keyed(`id ${id}`, id)
      expect(keyed.size).toBeLessThanOrEqual(10)
    }
    clock.advance(1000)
    expect(runs.map(([, , value]) => value)).toEqual(Array.from({ length: 1000 }, (_, id) => id))
  })
})

describe('size', () => {
  it('leads once in each task at a wait of 0', () => {
    const { clock, keyed, runs } = setUp(0, leadingOnly)
    keyed('b')
    keyed('a')
    keyed('a')
    expect(keyed.size).toBe(2)
    clock.advance(0)
    expect(keyed.size).toBe(0)
    keyed('a')
    clock.advance(0)
    expect(runs.map(([, key]) => key)).toEqual(['b', 'a', 'a'])
  })

  it('stays with an endless wait, until the key is cancelled', () => {
    const { clock, keyed } = setUp(Infinity, leadingOnly)
    keyed('a')
    keyed('b')
    clock.advance(1e12)
    expect(keyed.size).toBe(2)
    keyed.cancel('a')
    expect(keyed.size).toBe(1)
    keyed.cancel()
    expect(keyed.size).toBe(0)
  })

  it('does not count a key whose function throws at its leading edge, once wait is over', () => {
    const { clock, keyed } = setUp(100, leadingOnly, () => {
      throw new Error('bad')
    })
    expect(() => keyed('a')).toThrow('bad')
    expect(keyed.size).toBe(1)
    clock.advance(100)
    expect(keyed.size).toBe(0)
  })

  it('keeps neither arguments nor this nor the key of one that is forgotten', async () => {
    const clock = createTestClock()
    const keyed = debounceKeyed((item: object) => !!item, 100, { key: (key) => key, clock })
    const use = () => {
      const [key, self] = [{}, {}]
      keyed.call(self, key)
      return [new WeakRef(key), new WeakRef(self)]
    }
    const refs = use()
    clock.advance(100)
    await setImmediate()
    globalThis.gc!()
    expect(refs.filter((ref) => ref.deref())).toEqual([])
    expect(keyed.size).toBe(0)
  })
})

describe('timers', () => {
  it('are one for each key that is known', () => {
    const { clock, keyed } = setUp(100, { leading: true })
    for (let id = 0; id < 100; id++) keyed(`id ${id}`)
    expect(clock.pending).toBe(100)
    for (let id = 0; id < 10; id++) keyed(`id ${id}`)
    expect(clock.pending).toBe(100)
    clock.advance(100)
    expect(clock.pending).toBe(0)
  })
})

it('forgets in one task all keys that are due, where the timer is late', () => {
  const busy = createBusyClock()
  const { clock, delays } = recordTimers(busy.clock)
  const keyed = debounceKeyed(vi.fn<(key: string) => void>(), 100, {
    ...leadingOnly,
    key: (key) => key,
    clock,
  })
  keyed('a')
  busy.advance(10)
  keyed('b')
  busy.block(500)
  busy.advance(0)
  expect(keyed.size).toBe(0)
  expect(delays).toEqual([100, 100])
})

describe('a call', () => {
  it('answers what the last run of its key returned, until the key is forgotten', () => {
    const { callAt, goTo } = setUp(100, { leading: true })
    expect(callAt(0, 'a')).toBe('a of 0')
    expect(callAt(10, 'b')).toBe('b of 10')
    expect(callAt(20, 'a')).toBe('a of 0')
    goTo(1000)
    const later = setUp(100)
    later.callAt(0, 'a')
    expect(later.callAt(200, 'a')).toBe(undefined)
    later.goTo(1000)
  })

  it('compares keys as a Map does', () => {
    const clock = createTestClock()
    const fn = vi.fn<(key: unknown) => void>()
    const keyed = debounceKeyed(fn, 10, { key: (key) => key, clock })
    for (const key of [NaN, NaN, 0, -0, '0', null]) keyed(key)
    expect(keyed.size).toBe(4)
    clock.advance(10)
    expect(fn).toHaveBeenCalledTimes(4)
  })

  it('throws what key throws, and changes nothing', () => {
    const clock = createTestClock()
    const keyed = debounceKeyed(vi.fn<() => void>(), 10, {
      key: (): string => {
        throw new Error('no key')
      },
      clock,
    })
    expect(() => keyed()).toThrow('no key')
    expect(keyed.size).toBe(0)
  })
})

describe('isPending and subscribe', () => {
  it('tell each change of a key once', () => {
    const { keyed, callAt, goTo } = setUp(100)
    const told: [boolean, boolean][] = []
    const unsubscribe = keyed.subscribe(() => told.push([keyed.isPending('a'), keyed.isPending('b')]))
    callAt(0, 'a')
    callAt(10, 'a')
    callAt(20, 'b')
    goTo(115)
    keyed.cancel('b')
    unsubscribe()
    callAt(200, 'a')
    goTo(1000)
    expect(told).toEqual([
      [true, false],
      [true, true],
      [false, true],
      [false, false],
    ])
  })
})

describe('flush', () => {
  it('runs all, and then throws what the one run threw', () => {
    const bad = new Error('bad')
    const { keyed, runs, clock } = setUp(100, {}, (key) => {
      if (key === 'bad') throw bad
    })
    for (const key of ['a', 'bad', 'b']) keyed(key)
    expect(() => keyed.flush()).toThrow(bad)
    expect(runs.map(([, key]) => key)).toEqual(['a', 'bad', 'b'])
    expect(keyed.isPending()).toBe(false)
    clock.advance(100)
  })

  it('throws an AggregateError of what several runs threw', () => {
    const { keyed, clock } = setUp(100, {}, (key) => {
      if (key !== 'good') throw new Error(key)
    })
    for (const key of ['a', 'good', 'b']) keyed(key)
    let thrown: unknown
    try {
      keyed.flush()
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AggregateError)
    expect((thrown as AggregateError).errors).toEqual([new Error('a'), new Error('b')])
    expect((thrown as AggregateError).message).toBe('Several runs threw')
    clock.advance(100)
  })

  it('throws what the run of the one key throws', () => {
    const { keyed, clock } = setUp(100, {}, () => {
      throw new Error('bad')
    })
    keyed('a')
    expect(() => keyed.flush('a')).toThrow('bad')
    expect(keyed.flush('a')).toBe(undefined)
    clock.advance(100)
  })

  it('does not run what one of the runs calls', () => {
    const { keyed, clock, runs } = setUp(100, {}, (key) => {
      if (key === 'a') keyed('b')
    })
    keyed('a')
    keyed.flush()
    expect(runs).toHaveLength(1)
    clock.advance(100)
    expect(runs.map(([at, key]) => [at, key])).toEqual([
      [0, 'a'],
      [100, 'b'],
    ])
  })
})

describe('configure', () => {
  it('re-times what is pending and what comes', () => {
    const { keyed, callAt, goTo, runs } = setUp(1000)
    callAt(0, 'a')
    callAt(20, 'b')
    keyed.configure({ wait: 100 })
    callAt(50, 'c')
    goTo(149)
    expect(runs).toEqual([
      [100, 'a', 0],
      [120, 'b', 20],
    ])
    goTo(150)
    expect(runs.at(-1)).toEqual([150, 'c', 50])
    expect(keyed.size).toBe(0)
  })

  it('forgets by the new wait', () => {
    const { clock, keyed, callAt, goTo, runs } = setUp(1000, leadingOnly)
    callAt(0, 'a')
    keyed.configure({ wait: 100 })
    goTo(100)
    expect(keyed.size).toBe(0)
    callAt(100, 'a')
    keyed.configure({ wait: 1000 })
    goTo(1099)
    expect(keyed.size).toBe(1)
    callAt(1099, 'a')
    expect(runs.map(([at]) => at)).toEqual([0, 100])
    clock.advance(1000)
    expect(keyed.size).toBe(0)
  })

  it('gives edges and maxWait to the keys that come', () => {
    const { keyed, callAt, goTo, runs } = setUp(100)
    keyed.configure({ leading: true, maxWait: 150 })
    for (const at of [0, 60, 120]) callAt(at, 'a')
    keyed.configure({ leading: undefined, trailing: undefined, maxWait: undefined, wait: undefined })
    callAt(200, 'b')
    goTo(1000)
    expect(runs.map(([at, key]) => [at, key])).toEqual([
      [0, 'a'],
      [150, 'a'],
      [200, 'b'],
    ])
  })
})

describe('maxKeys', () => {
  it('forgets the key whose last call is the oldest; its run comes in the next task', () => {
    const { clock, keyed, callAt, goTo, runs } = setUp(100, { maxKeys: 2 })
    callAt(0, 'a')
    callAt(10, 'b')
    callAt(20, 'a')
    callAt(30, 'c')
    expect(runs).toEqual([])
    expect(keyed.size).toBe(2)
    expect(keyed.isPending('b')).toBe(false)
    clock.advance(0)
    expect(runs).toEqual([[30, 'b', 10]])
    goTo(1000)
    expect(runs.slice(1)).toEqual([
      [120, 'a', 20],
      [130, 'c', 30],
    ])
  })

  it('forgets an idle key without a run', () => {
    const { keyed, callAt, goTo, runs } = setUp(100, { ...leadingOnly, maxKeys: 1 })
    callAt(0, 'a')
    callAt(10, 'b')
    callAt(20, 'a')
    expect(keyed.size).toBe(1)
    goTo(1000)
    expect(runs.map(([at]) => at)).toEqual([0, 10, 20])
  })

  it.each([
    ['flush', 1],
    ['cancel', 0],
  ] as const)('has what it forgot within %s', (method, count) => {
    const { clock, keyed, runs } = setUp(100, { maxKeys: 1 })
    keyed('a')
    keyed('b')
    expect(keyed.isPending()).toBe(true)
    keyed[method]()
    expect(keyed.isPending()).toBe(false)
    clock.advance(1000)
    expect(runs.filter(([, key]) => key === 'a')).toHaveLength(count)
  })

  it('runs a key that is called again with both of its calls', () => {
    const { keyed, clock, runs } = setUp(100, { maxKeys: 1 })
    keyed('a', 1)
    keyed('b', 2)
    keyed('a', 3)
    clock.advance(1000)
    expect(runs).toEqual([
      [0, 'a', 1],
      [0, 'b', 2],
      [100, 'a', 3],
    ])
  })

  it('does not remember again what it has forgotten when that runs', () => {
    const { clock, keyed, goTo, runs } = setUp(100, { maxKeys: 1, leading: true, maxWait: 200 })
    keyed('a', 1)
    keyed('a', 2)
    keyed('b', 3)
    clock.advance(0)
    expect(runs.map(([, key, value]) => `${key}${value}`)).toEqual(['a1', 'b3', 'a2'])
    expect(keyed.size).toBe(1)
    // The next call of a key that is not known leads.
    keyed('a', 4)
    expect(runs.at(-1)).toEqual([0, 'a', 4])
    goTo(1000)
    expect(keyed.size).toBe(0)
  })
})

describe('signal', () => {
  it('has one listener for a thousand keys, and none when all have run', () => {
    const { signal } = new AbortController()
    const { clock, keyed } = setUp(100, { signal, leading: true })
    const listeners = () => getEventListeners(signal, 'abort').length
    for (let id = 0; id < 1000; id++) keyed(`id ${id}`)
    expect(listeners()).toBe(0)
    for (let id = 0; id < 1000; id++) keyed(`id ${id}`)
    expect(listeners()).toBe(1)
    keyed.flush('id 1')
    keyed.cancel('id 2')
    expect(listeners()).toBe(1)
    clock.advance(100)
    expect(listeners()).toBe(0)
  })

  it('drops what is pending when it aborts, forgets all keys and ignores later calls', () => {
    const abort = new AbortController()
    const { clock, keyed, callAt, runs } = setUp(100, { signal: abort.signal })
    callAt(0, 'a')
    callAt(10, 'b')
    abort.abort()
    expect([clock.pending, keyed.size, keyed.isPending()]).toEqual([0, 0, false])
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
    expect(callAt(20, 'a')).toBe(undefined)
    keyed.flush()
    expect(keyed.size).toBe(0)
    clock.advance(1000)
    expect(runs).toEqual([])
  })
})

describe('from inside a run', () => {
  it('takes a cancel of itself, of another, and a dispose', () => {
    const { keyed, clock, runs } = setUp(100, {}, (key) => {
      if (key === 'a') {
        keyed.cancel('a')
        keyed.cancel('b')
      }
      if (key === 'c') keyed[Symbol.dispose]()
    })
    for (const key of ['a', 'b', 'c', 'd']) keyed(key)
    clock.advance(1000)
    expect(runs.map(([, key]) => key)).toEqual(['a', 'c'])
    expect(keyed.size).toBe(0)
  })
})

it('forgets its keys where the clock does not move with the timers', () => {
  const manual = createTestClock()
  const keyed = debounceKeyed(vi.fn(), 100, {
    ...leadingOnly,
    key: (key: string) => key,
    clock: { ...manual, now: () => 0 },
  })
  keyed('a')
  manual.advance(100)
  expect(keyed.size).toBe(0)
})
