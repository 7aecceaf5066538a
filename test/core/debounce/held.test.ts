import { getEventListeners, setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { debounce, throttle, throttleFrame, type Held } from 'lull/core'
import type { ManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../time/clocks.ts'

// What debounce, throttle and throttleFrame have in common.

type Fn = (this: unknown, ...args: unknown[]) => unknown

interface Kind {
  name: string
  make: (fn: Fn, options: { clock: ManualClock; signal?: AbortSignal }) => Held<unknown, unknown[], unknown>
  /** Ms from a call that is held back to its run. */
  delay: number
  /** Whether the first call runs at once. */
  leads: boolean
}

const kinds: Kind[] = [
  {
    name: 'debounce',
    make: (fn, options) => debounce(fn, 100, options),
    delay: 100,
    leads: false,
  },
  {
    name: 'debounce with both edges',
    make: (fn, options) => debounce(fn, 100, { leading: true, ...options }),
    delay: 100,
    leads: true,
  },
  {
    name: 'debounce with maxWait',
    make: (fn, options) => debounce(fn, 100, { maxWait: 150, ...options }),
    delay: 100,
    leads: false,
  },
  {
    name: 'throttle',
    make: (fn, options) => throttle(fn, 100, options),
    delay: 100,
    leads: true,
  },
  {
    name: 'throttle with the trailing edge',
    make: (fn, options) => throttle(fn, 100, { leading: false, ...options }),
    delay: 100,
    leads: false,
  },
  {
    name: 'throttleFrame',
    make: throttleFrame,
    delay: 16,
    leads: false,
  },
]

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, { make, delay, leads }) => {
  interface Run {
    at: number
    args: unknown[]
    self: unknown
  }

  /** Something held, in the state where the next call is held back. */
  function setUp(inside?: (held: Held<unknown, unknown[], unknown>, run: Run) => void) {
    const clock = createTestClock()
    const abort = new AbortController()
    const runs: Run[] = []
    let isSetUp = false
    const held = make(
      function (...args) {
        const run = { at: clock.now(), args, self: this }
        if (!isSetUp) return 'first result'
        runs.push(run)
        inside?.(held, run)
        return `result of ${String(args[0])}`
      },
      { clock, signal: abort.signal },
    )
    if (leads) held('first')
    isSetUp = true
    const changes: boolean[] = []
    const unsubscribe = held.subscribe(() => changes.push(held.isPending()))
    return { clock, abort, held, runs, changes, unsubscribe }
  }

  const firstResult = leads ? 'first result' : undefined

  it('runs with the last arguments and this', () => {
    const { clock, held, runs } = setUp()
    const self = { name: 'b' }
    held.call({ name: 'a' }, 1, 'one')
    held.call(self, 2, 'two', undefined)
    clock.advance(delay - 1)
    expect(runs).toEqual([])
    clock.advance(1)
    expect(runs).toEqual([{ at: delay, args: [2, 'two', undefined], self }])
    expect(runs[0]?.self).toBe(self)
  })

  it('answers what the last run returned', () => {
    const { clock, held } = setUp()
    expect(held('a')).toBe(firstResult)
    clock.advance(delay)
    expect(held.flush()).toBe('result of a')
    held('b')
    expect(held.flush()).toBe('result of b')
    expect(held.flush()).toBe('result of b')
  })

  describe('isPending and subscribe', () => {
    it('is pending from the call to the run', () => {
      const { clock, held, changes } = setUp()
      expect(held.isPending()).toBe(false)
      held('a')
      expect(held.isPending()).toBe(true)
      held('b')
      clock.advance(delay - 1)
      expect(held.isPending()).toBe(true)
      clock.advance(1)
      expect(held.isPending()).toBe(false)
      expect(changes).toEqual([true, false])
    })

    it('is not pending while it runs', () => {
      const pending: boolean[] = []
      const { clock, held } = setUp((held) => pending.push(held.isPending()))
      held('a')
      clock.advance(delay)
      held('b')
      held.flush()
      expect(pending).toEqual([false, false])
    })

    it.each([
      ['cancel', ({ held }: ReturnType<typeof setUp>) => held.cancel()],
      ['flush', ({ held }: ReturnType<typeof setUp>) => held.flush()],
      ['dispose', ({ held }: ReturnType<typeof setUp>) => held[Symbol.dispose]()],
      ['abort', ({ abort }: ReturnType<typeof setUp>) => abort.abort()],
    ])('is not pending after %s, and says so once', (_, end) => {
      const all = setUp()
      const { clock, held, changes } = all
      held('a')
      end(all)
      expect(held.isPending()).toBe(false)
      expect(clock.pending).toBe(0)
      end(all)
      expect(changes).toEqual([true, false])
    })

    it('does not tell a listener that has unsubscribed', () => {
      const { clock, held, changes, unsubscribe } = setUp()
      const other = vi.fn()
      held.subscribe(other)
      held('a')
      unsubscribe()
      unsubscribe()
      clock.advance(delay)
      expect(changes).toEqual([true])
      expect(other).toHaveBeenCalledTimes(2)
    })
  })

  describe('cancel', () => {
    it('drops the pending run', () => {
      const { clock, held, runs } = setUp()
      held('a')
      held.cancel()
      clock.advance(1000)
      expect(runs).toEqual([])
      expect(held.flush()).toBe(firstResult)
    })

    it('begins anew: the next call is the first of a burst', () => {
      const { clock, held, runs } = setUp()
      held('a')
      clock.advance(5)
      held.cancel()
      held('b')
      if (!leads) clock.advance(1000)
      expect(runs.map(({ args }) => args)).toEqual([['b']])
    })
  })

  describe('flush', () => {
    it('runs what is pending at once, with its arguments and this, and not again', () => {
      const { clock, held, runs } = setUp()
      const self = {}
      held('a')
      held.call(self, 'b', 2)
      clock.advance(5)
      expect(held.flush()).toBe('result of b')
      clock.advance(1000)
      held.flush()
      expect(runs).toEqual([{ at: 5, args: ['b', 2], self }])
    })

    it('runs nothing where nothing is pending', () => {
      const { clock, held, runs } = setUp()
      expect(held.flush()).toBe(firstResult)
      held('a')
      clock.advance(1000)
      expect(held.flush()).toBe('result of a')
      expect(runs).toHaveLength(1)
    })

    it('throws what the run throws, and leaves all in order', () => {
      const { clock, held, runs } = setUp((_, { args }) => {
        if (args[0] === 'bad') throw new Error('bad')
      })
      held('bad')
      expect(() => held.flush()).toThrow('bad')
      expect(held.isPending()).toBe(false)
      expect(held.flush()).toBe(firstResult)
      clock.advance(1000)
      expect(runs).toHaveLength(1)
      held('good')
      expect(held.flush()).toBe('result of good')
    })
  })

  it('goes on after a run that a timer made has thrown, which surfaces from the timer', () => {
    const { clock, held, runs, changes } = setUp((_, { args }) => {
      if (args[0] === 'bad') throw new Error('bad')
    })
    held('bad')
    expect(() => clock.advance(delay)).toThrow('bad')
    expect(held.isPending()).toBe(false)
    clock.advance(1000)
    held('good')
    held.flush()
    held('better')
    clock.advance(1000)
    expect(runs.map(({ args }) => args[0])).toEqual(['bad', 'good', 'better'])
    expect(changes.at(-1)).toBe(false)
  })

  describe('from inside a run', () => {
    it('takes a call, which runs in its turn with its own arguments and this', () => {
      const selves = ['three', 'two', 'one', 'none']
      const { clock, held, runs } = setUp((held, { args: [n] }) => {
        if ((n as number) < 3) held.call(selves[(n as number) + 1], (n as number) + 1)
      })
      held.call(selves[0], 0)
      clock.advance(1000)
      expect(runs.map(({ args, self }) => [...args, self])).toEqual(selves.map((self, n) => [n, self]))
    })

    it('does not overflow the stack by calling itself', () => {
      const { clock, held, runs } = setUp((held) => held())
      held()
      clock.advance(1000)
      expect(runs.length).toBeGreaterThanOrEqual(10)
      expect(runs.length).toBeLessThanOrEqual(1000 / 16)
      held.cancel()
    })

    it('takes a flush, which finds nothing pending', () => {
      const answers: unknown[] = []
      const { clock, held, runs } = setUp((held) => answers.push(held.flush()))
      held('a')
      clock.advance(delay)
      held('b')
      held.flush()
      expect(runs).toHaveLength(2)
      expect(answers).toEqual([firstResult, 'result of a'])
    })

    it('takes a call and a flush of it', () => {
      const { clock, held, runs } = setUp((held, { args }) => {
        if (args[0] !== 'outer') return
        held('inner')
        held.flush()
      })
      held('outer')
      clock.advance(1000)
      expect(runs.map(({ args }) => args[0])).toEqual(['outer', 'inner'])
    })

    it('takes a call and a cancel of it', () => {
      const { clock, held, runs } = setUp((held, { args }) => {
        if (args[0] !== 'outer') return
        held.cancel()
        if (!leads) held('inner')
        held.cancel()
      })
      held('outer')
      clock.advance(1000)
      expect(runs.map(({ args }) => args[0])).toEqual(['outer'])
      held('next')
      clock.advance(1000)
      expect(runs.map(({ args }) => args[0])).toEqual(['outer', 'next'])
    })

    it('takes a dispose', () => {
      const { clock, held, runs } = setUp((held) => {
        held[Symbol.dispose]()
        held('inner')
      })
      held('outer')
      clock.advance(1000)
      expect(runs.map(({ args }) => args[0])).toEqual(['outer'])
    })
  })

  describe('signal', () => {
    it('runs nothing once it has aborted, and keeps nothing', () => {
      const clock = createTestClock()
      const signal = AbortSignal.abort()
      const fn = vi.fn()
      const held = make(fn, { clock, signal })
      const listener = vi.fn()
      held.subscribe(listener)
      expect(held('a')).toBe(undefined)
      expect(held('b')).toBe(undefined)
      expect(held.isPending()).toBe(false)
      expect(held.flush()).toBe(undefined)
      expect(clock.pending).toBe(0)
      expect(getEventListeners(signal, 'abort')).toEqual([])
      clock.advance(1000)
      expect(fn).not.toHaveBeenCalled()
      expect(listener).not.toHaveBeenCalled()
    })

    it('drops what is pending when it aborts, and ignores later calls', () => {
      const { clock, abort, held, runs } = setUp()
      held('a')
      abort.abort()
      expect(clock.pending).toBe(0)
      expect(held('b')).toBe(firstResult)
      expect(held.isPending()).toBe(false)
      expect(held.flush()).toBe(firstResult)
      clock.advance(1000)
      expect(held('c')).toBe(firstResult)
      clock.advance(1000)
      expect(runs).toEqual([])
    })

    it('runs nothing for a flush by another listener of the abort', () => {
      const { abort, held, runs } = setUp()
      abort.signal.addEventListener('abort', () => held.flush())
      held('a')
      abort.abort()
      expect(runs).toEqual([])
      expect(held.isPending()).toBe(false)
    })

    it.each([
      ['a run', ({ clock }: ReturnType<typeof setUp>) => clock.advance(delay)],
      ['a cancel', ({ held }: ReturnType<typeof setUp>) => held.cancel()],
      ['a flush', ({ held }: ReturnType<typeof setUp>) => held.flush()],
      ['a dispose', ({ held }: ReturnType<typeof setUp>) => held[Symbol.dispose]()],
      ['an abort', ({ abort }: ReturnType<typeof setUp>) => abort.abort()],
    ])('is listened to while a run is due, and no longer after %s', (_, end) => {
      const all = setUp()
      const listeners = () => getEventListeners(all.abort.signal, 'abort').length
      expect(listeners()).toBe(0)
      all.held('a')
      all.held('b')
      expect(listeners()).toBe(1)
      end(all)
      expect(listeners()).toBe(0)
    })

    it('has no listener left by a thousand that are idle', () => {
      const clock = createTestClock()
      const { signal } = new AbortController()
      setMaxListeners(0, signal)
      const all = Array.from({ length: 1000 }, () => make(() => 1, { clock, signal }))
      expect(getEventListeners(signal, 'abort')).toEqual([])
      for (const held of all) {
        held()
        held()
      }
      expect(getEventListeners(signal, 'abort')).toHaveLength(1000)
      clock.advance(1000)
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })
  })

  describe('dispose', () => {
    it('drops what is pending and ignores later calls', () => {
      const { clock, held, runs } = setUp()
      held('a')
      held[Symbol.dispose]()
      expect(clock.pending).toBe(0)
      expect(held('b')).toBe(firstResult)
      expect(held.isPending()).toBe(false)
      clock.advance(1000)
      expect(held('c')).toBe(firstResult)
      expect(held.flush()).toBe(firstResult)
      clock.advance(1000)
      expect(runs).toEqual([])
    })

    it('comes at the end of a using block', () => {
      const { clock, held, runs } = setUp()
      {
        using inBlock = held
        inBlock('a')
      }
      expect(held.isPending()).toBe(false)
      clock.advance(1000)
      expect(runs).toEqual([])
    })
  })

  it('has methods that may be taken off it', () => {
    const { clock, held, runs, changes } = setUp()
    const { cancel, flush, isPending, subscribe, [Symbol.dispose]: dispose } = held
    const stop = subscribe(() => changes.push(true))
    stop()
    held('a')
    expect(isPending()).toBe(true)
    expect(flush()).toBe('result of a')
    held('b')
    cancel()
    expect(isPending()).toBe(false)
    held('c')
    dispose()
    clock.advance(1000)
    expect(runs.map(({ args }) => args[0])).toEqual(leads ? ['a', 'c'] : ['a'])
  })

  describe('memory', () => {
    /** Makes a call whose argument and `this` are known to nobody else. */
    function callWithFreshObjects(held: (...args: unknown[]) => unknown): WeakRef<object>[] {
      const objects = [{}, {}]
      held.call(objects[0], objects[1])
      return objects.map((object) => new WeakRef(object))
    }

    async function howManyAreKept(refs: WeakRef<object>[]): Promise<number> {
      let kept = refs.length
      // What a task has made or read weakly lives until that task ends, and what is just being compiled a little longer.
      for (let tries = 0; kept > 0 && tries < 10; tries++) {
        await setImmediate()
        globalThis.gc!()
        kept = refs.filter((ref) => ref.deref()).length
      }
      return kept
    }

    const ends: [string, (all: { clock: ManualClock; abort: AbortController; held: Kept }) => unknown][] = [
      ['a run', ({ clock }) => clock.advance(delay)],
      ['a cancel', ({ held }) => held.cancel()],
      ['a flush', ({ held }) => held.flush()],
      ['a dispose', ({ held }) => held[Symbol.dispose]()],
      ['an abort', ({ abort }) => abort.abort()],
    ]
    type Kept = Held<unknown, unknown[], unknown>

    it.each(ends)('keeps neither arguments nor this after %s', async (_, end) => {
      const clock = createTestClock()
      const abort = new AbortController()
      const held = make(() => 'result', { clock, signal: abort.signal })
      const first = callWithFreshObjects(held)
      const refs = callWithFreshObjects(held)
      expect(await howManyAreKept(first)).toBe(0)
      expect(await howManyAreKept(refs)).toBe(2)
      end({ clock, abort, held })
      expect(await howManyAreKept(refs)).toBe(0)
      // It has been in reach all the while.
      held.cancel()
    })

    it('keeps neither arguments nor this after a run that throws', async () => {
      const clock = createTestClock()
      const held = make(
        () => {
          throw new Error('bad')
        },
        { clock },
      )
      const call = () => {
        try {
          return callWithFreshObjects(held)
        } catch {
          return []
        }
      }
      call()
      const refs = call()
      expect(refs).toHaveLength(2)
      expect(() => clock.advance(delay)).toThrow('bad')
      expect(await howManyAreKept(refs)).toBe(0)
      held.cancel()
    })

    it('is not kept itself by a signal that lives on', async () => {
      const clock = createTestClock()
      const { signal } = new AbortController()
      const use = () => {
        const held = make(() => 'result', { clock, signal })
        held()
        held()
        clock.advance(delay)
        return [new WeakRef(held)]
      }
      const refs = use()
      expect(await howManyAreKept(refs)).toBe(0)
      expect(signal.aborted).toBe(false)
    })
  })
})
