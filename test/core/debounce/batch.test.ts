import { batch, type BatchOptions } from 'lull/core'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { named } from '../shared/named.ts'
import { createDeferred, settled, track, unhandledRejections, type Deferred } from '../shared/promises.ts'

// Laws are in batch-laws.test.ts.

/** A batch that was sent: `[instant, instants at which its items were added]`. */
type Sent = [at: number, items: number[]]

/** A batch whose items are the instants at which they are added, and whose results are those doubled. */
function setUp(options: BatchOptions<number> = {}) {
  const clock = createTestClock()
  const sent: Sent[] = []
  const all = batch(
    (items: number[]) => {
      sent.push([clock.now(), items])
      return items.map((item) => item * 2)
    },
    { clock, ...options },
  )
  const goTo = (at: number) => {
    // To advance by 0 is to end the task.
    if (at > clock.now()) clock.advance(at - clock.now())
  }
  const addAt = (at: number) => {
    goTo(at)
    return all.add(at)
  }
  return { clock, batch: all, sent, goTo, addAt }
}

/** A batch whose `flush` does not end until it is told to. */
function setUpSlow(options: BatchOptions<string> = {}) {
  const clock = createTestClock()
  const runs: (Deferred<(string | Error)[] | undefined> & { items: string[] })[] = []
  const all = batch<string, string | undefined>(
    // What is answered may be of another type than it should.
    (items) => {
      const deferred = createDeferred<(string | Error)[] | undefined>()
      runs.push({ ...deferred, items })
      return deferred.promise as Promise<string[]>
    },
    { clock, ...options },
  )
  return { clock, batch: all, runs }
}

const isAbortError = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

describe('timing', () => {
  it.each(
    named<{ does: string; options: BatchOptions<number>; adds: number[]; sent: Sent[] }>([
      {
        does: 'sends what one task adds at its end, without options',
        options: {},
        adds: [0, 0, 0, 5, 5],
        sent: [
          [0, [0, 0, 0]],
          [5, [5, 5]],
        ],
      },
      {
        does: 'sends a fixed window after the first item with an endless wait',
        options: { wait: Infinity, maxWait: 100 },
        adds: [0, 99, 100, 101, 250],
        sent: [
          [100, [0, 99]],
          [200, [100, 101]],
          [350, [250]],
        ],
      },
      {
        does: 'takes maxWait alone for a fixed window',
        options: { maxWait: 100 },
        adds: [0, 99, 150],
        sent: [
          [100, [0, 99]],
          [250, [150]],
        ],
      },
      {
        does: 'sends as soon as there are maxSize, and waits anew for the rest',
        options: { wait: 100, maxSize: 3 },
        adds: [0, 10, 20, 30],
        sent: [
          [20, [0, 10, 20]],
          [130, [30]],
        ],
      },
      {
        does: 'rounds maxSize down',
        options: { wait: 100, maxSize: 2.5 },
        adds: [0, 10, 20],
        sent: [
          [10, [0, 10]],
          [120, [20]],
        ],
      },
    ]),
  )('%s', (_, { options, adds, sent }) => {
    const all = setUp(options)
    for (const at of adds) void all.addAt(at)
    all.clock.advance(1000)
    expect(all.sent).toEqual(sent)
  })

  it('sends maxSize items within the add of the last', () => {
    const { batch, sent } = setUp({ wait: 100, maxSize: 2 })
    void batch.add(1)
    expect(sent).toEqual([])
    void batch.add(2)
    expect(sent).toEqual([[0, [1, 2]]])
    expect(batch.size).toBe(0)
  })
})

describe('results', () => {
  it('are undefined where flush answers nothing', async () => {
    const clock = createTestClock()
    const all = batch(() => undefined, { wait: 10, clock })
    const slow = batch(async () => Promise.resolve(), { wait: 10, clock })
    const results = [all.add(1), all.add(2), slow.add(3)]
    clock.advance(10)
    expect(await Promise.all(results)).toEqual([undefined, undefined, undefined])
  })

  it('stay right where flush changes the array that it is given', async () => {
    const clock = createTestClock()
    const all = batch(
      (items: number[]) => {
        const results: number[] = []
        for (let item = items.shift(); item !== undefined; item = items.shift()) results.push(item + 1)
        return results
      },
      { clock },
    )
    const results = [all.add(1), all.add(2)]
    clock.advance(0)
    expect(await Promise.all(results)).toEqual([2, 3])
  })
})

describe('errors', () => {
  const bad = new Error('bad')

  it.each(
    named<{ does: string; flush: () => never[] | Promise<never[]> }>([
      {
        does: 'a throw',
        flush: () => {
          throw bad
        },
      },
      { does: 'a rejection', flush: () => Promise.reject(bad) },
    ]),
  )('%s rejects every item of the batch, and nothing else', async (_, { flush }) => {
    const clock = createTestClock()
    let isBad = true
    const all = batch<number, number>((items) => (isBad ? flush() : items), { wait: 100, clock })
    const reasons = await unhandledRejections(async () => {
      const results = [track(all.add(1)), track(all.add(2))]
      clock.advance(100)
      await settled()
      expect(results).toEqual(Array(2).fill({ state: 'rejected', error: bad }))
      isBad = false
      const next = track(all.add(3))
      clock.advance(100)
      await settled()
      expect(next.value).toBe(3)
    })
    expect(reasons).toEqual([])
  })

  it.each([
    [[], RangeError, 'Expected 2 results of flush, got 0'],
    [['A'], RangeError, 'Expected 2 results of flush, got 1'],
    [['A', 'B', 'C'], RangeError, 'Expected 2 results of flush, got 3'],
    ['AB', TypeError, 'Expected an array answer of flush, got AB'],
    [null, TypeError, 'Expected an array answer of flush, got null'],
    [{ length: 2 }, TypeError, 'Expected an array answer of flush, got [object Object]'],
  ])('the answer %o rejects every item, saying what was expected', async (answer, type, message) => {
    const { batch, clock, runs } = setUpSlow()
    const results = [track(batch.add('a')), track(batch.add('b'))]
    clock.advance(0)
    runs[0]!.resolve(answer as string[])
    await settled()
    for (const { error } of results) {
      expect(error).toBeInstanceOf(type)
      expect((error as Error).message).toBe(message)
    }
  })

  it('a throw within add, when there are maxSize, rejects and does not throw', async () => {
    const clock = createTestClock()
    const all = batch(
      (): number[] => {
        throw bad
      },
      { maxSize: 1, clock },
    )
    const result = all.add(1)
    await expect(result).rejects.toBe(bad)
  })

  it('an error of key rejects the item, which is not sent', async () => {
    const { batch, clock, sent } = setUp({
      wait: 100,
      key: (item) => {
        if (item < 0) throw bad
        return item
      },
    })
    const [good, result] = [batch.add(1), track(batch.add(-1))]
    await settled()
    expect(result.error).toBe(bad)
    expect(batch.size).toBe(1)
    clock.advance(100)
    expect(await good).toBe(2)
    expect(sent).toEqual([[100, [1]]])
  })

  it('of a batch that nobody listens to surface as that of any promise, once for each item', async () => {
    const clock = createTestClock()
    const all = batch(() => Promise.reject(bad), { clock })
    const reasons = await unhandledRejections(() => {
      void all.add(1)
      void all.add(2)
      void all.flush()
    })
    expect(reasons).toEqual([bad, bad])
  })
})

describe('key', () => {
  const byId = { wait: 100, key: (item: string) => item.toLowerCase() }

  it('sends items of the same key once, the first of them, and gives all its outcome', async () => {
    const { batch, clock, runs } = setUpSlow(byId)
    const results = ['a', 'b', 'A', 'a', 'c', 'B'].map((item) => track(batch.add(item)))
    expect(batch.size).toBe(3)
    clock.advance(100)
    expect(runs.map(({ items }) => items)).toEqual([['a', 'b', 'c']])
    const bad = new Error('bad')
    runs[0]!.resolve(['1', bad, '3'])
    await settled()
    expect(results.map(({ value, error }) => value ?? error)).toEqual(['1', bad, '1', '1', '3', bad])
  })

  it('compares keys as a Map does', () => {
    const { batch, clock, sent } = setUp({ key: (item) => (item > 2 ? NaN : item) })
    for (const item of [0, -0, 1, 3, 4]) void batch.add(item)
    clock.advance(0)
    expect(sent).toEqual([[0, [0, 1, 3]]])
  })
})

describe('flush', () => {
  it('resolves when the batch has ended, after its items', async () => {
    const { batch, runs } = setUpSlow({ wait: 100 })
    const order: string[] = []
    void batch.add('a').then(() => order.push('a'))
    const flushed = track(batch.flush().then(() => order.push('flush')))
    await settled()
    expect(flushed.state).toBe('pending')
    runs[0]!.resolve(['A'])
    await settled()
    expect(order).toEqual(['a', 'flush'])
  })

  it('resolves when the batches in flight have ended too', async () => {
    const { batch, clock, runs } = setUpSlow({ wait: 100 })
    void batch.add('a')
    clock.advance(100)
    const empty = track(batch.flush())
    void batch.add('b')
    const full = track(batch.flush())
    runs[1]!.resolve(['B'])
    await settled()
    expect([empty.state, full.state]).toEqual(['pending', 'pending'])
    runs[0]!.resolve(['A'])
    await settled()
    expect([empty.state, full.state]).toEqual(['resolved', 'resolved'])
  })

  it('resolves where the batch has failed', async () => {
    const { batch, runs } = setUpSlow()
    const result = track(batch.add('a'))
    const flushed = track(batch.flush())
    runs[0]!.reject(new Error('bad'))
    await settled()
    expect([result.state, flushed.state]).toEqual(['rejected', 'resolved'])
  })
})

describe('cancel', () => {
  it('rejects what waits with an AbortError, and sends nothing', async () => {
    const { batch, clock, sent } = setUp({ wait: 100 })
    const results = [track(batch.add(1)), track(batch.add(2))]
    batch.cancel()
    expect(clock.pending).toBe(0)
    expect(batch.size).toBe(0)
    clock.advance(1000)
    await settled()
    expect(results.map(({ error }) => isAbortError(error))).toEqual([true, true])
    expect(sent).toEqual([])
  })

  it('lets what has been sent go on', async () => {
    const { batch, clock, runs } = setUpSlow({ wait: 100 })
    const result = track(batch.add('a'))
    clock.advance(100)
    batch.cancel()
    runs[0]!.resolve(['A'])
    await settled()
    expect(result.value).toBe('A')
  })

  it('causes no unhandled rejection where nobody listens', async () => {
    const { batch } = setUp({ wait: 100, key: (item) => item % 2 })
    const reasons = await unhandledRejections(() => {
      for (const item of [1, 2, 3]) void batch.add(item)
      batch.cancel()
    })
    expect(reasons).toEqual([])
  })
})

describe('dispose', () => {
  it('cancels what waits, and what is added later', async () => {
    const { batch, clock, sent } = setUp({ wait: 100 })
    const reasons = await unhandledRejections(async () => {
      const early = track(batch.add(1))
      batch[Symbol.dispose]()
      const late = track(batch.add(2))
      void batch.add(3)
      expect(clock.pending).toBe(0)
      await settled()
      expect([early.error, late.error].map(isAbortError)).toEqual([true, true])
    })
    expect(reasons).toEqual([])
    expect(batch.size).toBe(0)
    clock.advance(1000)
    expect(sent).toEqual([])
  })

  it('sends nothing of a task that disposes, also at a maxSize of 1', async () => {
    const { batch, sent } = setUp({ maxSize: 1 })
    batch[Symbol.dispose]()
    expect(isAbortError(await batch.add(1).catch((error: unknown) => error))).toBe(true)
    expect(sent).toEqual([])
  })
})

describe('size, isPending and subscribe', () => {
  it('tell what waits, and each change of it', () => {
    const { batch, clock } = setUp({ wait: 100, maxSize: 3 })
    const sizes: number[] = []
    const unsubscribe = batch.subscribe(() => {
      expect(batch.isPending()).toBe(batch.size > 0)
      sizes.push(batch.size)
    })
    for (const item of [1, 2, 3, 4]) void batch.add(item)
    clock.advance(100)
    void batch.add(5)
    batch.cancel()
    batch.cancel()
    void batch.flush()
    expect(sizes).toEqual([1, 2, 0, 1, 0, 1, 0])
    unsubscribe()
    void batch.add(6)
    clock.advance(100)
    expect(sizes).toHaveLength(7)
  })
})

describe('memory', () => {
  it('keeps neither items nor results of what is over', async () => {
    const clock = createTestClock()
    const all = batch((items: object[]) => items.map((item) => ({ item })), { key: (item) => item, clock })
    const use = async () => {
      const items = [{}, {}]
      const results = [all.add(items[0]!)]
      await all.flush()
      const dropped = all.add(items[1]!)
      all.cancel()
      await expect(dropped).rejects.toThrow()
      return [...items, ...(await Promise.all(results))].map((object) => new WeakRef(object))
    }
    const refs = await use()
    await setImmediate()
    globalThis.gc!()
    expect(refs.filter((ref) => ref.deref())).toEqual([])
    expect(all.size).toBe(0)
  })

  it('does not grow with the batches that have been sent', async () => {
    const clock = createTestClock()
    const all = batch((items: number[]) => items, { maxSize: 1, clock })
    const send = async (times: number) => {
      for (let item = 0; item < times; item++) {
        void all.add(item)
        if (item % 1000 === 0) await settled()
      }
      await all.flush()
      globalThis.gc!()
      return process.memoryUsage().heapUsed
    }
    const before = await send(1000)
    const bytesEach = ((await send(100_000)) - before) / 100_000
    expect(bytesEach).toBeLessThan(20)
  })
})

describe('configure', () => {
  function setUpNamed(options: BatchOptions<string>) {
    const clock = createTestClock()
    const sent: string[] = []
    const made = batch((items: string[]) => void sent.push(`${clock.now()}: ${items.join(' ')}`), {
      clock,
      ...options,
    })
    /** What becomes of it is seen in what is sent. */
    const add = (item: string): void => void made.add(item).catch(() => undefined)
    return { clock, sent, add, batch: made }
  }

  it.each([
    [{ wait: 50 }, '50: a'],
    [{ wait: 200 }, '200: a'],
    [{ wait: 10 }, '40: a'],
    [{ maxWait: 70 }, '70: a'],
    [{ maxSize: 1 }, '40: a'],
    [{ maxSize: 2 }, '100: a'],
    [{}, '100: a'],
  ])('what waits is due as %o says, of a wait of 100', (changes, entry) => {
    const { clock, sent, add, batch } = setUpNamed({ wait: 100 })
    add('a')
    clock.advance(40)
    batch.configure(changes)
    clock.advance(0)
    clock.advance(500)
    expect(sent).toEqual([entry])
  })

  it('what is not named stays, and what comes later is due as all of them say', () => {
    const { clock, sent, add, batch } = setUpNamed({
      wait: 100,
      maxWait: 150,
      maxSize: 3,
      key: (item) => item,
    })
    batch.configure({ wait: 80 })
    expect(clock.pending).toBe(0)
    for (const item of ['a', 'b', 'a']) add(item)
    clock.advance(79)
    add('a')
    clock.advance(71)
    for (const item of ['c', 'd', 'e']) add(item)
    batch.configure({ key: (item) => item[0] })
    for (const item of ['x1', 'x2', 'y']) add(item)
    clock.advance(500)
    expect(sent).toEqual(['150: a b', '150: c d e', '230: x1 y'])
  })

  it('what was disposed collects again from then on, and says what it did before', async () => {
    const { clock, sent, add, batch } = setUpNamed({ wait: 100 })
    batch[Symbol.dispose]()
    await expect(batch.add('a')).rejects.toMatchObject({
      name: 'AbortError',
      message: 'The batch was cancelled',
    })
    batch.configure({})
    add('b')
    clock.advance(100)
    expect(sent).toEqual(['100: b'])
  })
})
