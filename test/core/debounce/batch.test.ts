import { batch, type BatchOptions } from 'lull/core'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { settled, track } from '../shared/promises.ts'

/** A sent batch: `[instant, instants at which its items were added]`. */
type Sent = [at: number, items: number[]]

/** A batch whose items are the instants at which they are added, and whose results are the items doubled. */
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
  const addAt = (at: number) => {
    // Advancing by 0 would end the task.
    if (at > clock.now()) clock.advance(at - clock.now())
    return all.add(at)
  }
  return { clock, batch: all, sent, addAt }
}

/** Adds two items to a batch whose `flush` resolves to `answer`, which may have a wrong type. */
async function answerWith(answer: unknown) {
  const clock = createTestClock()
  const { add } = batch<string, unknown>(() => Promise.resolve(answer as unknown[]), { clock })
  const results = ['a', 'b'].map((item) => track(add(item)))
  clock.advance(0)
  await settled()
  return results
}

const fixed = { wait: Infinity, maxWait: 100 }
it.each<[does: string, options: BatchOptions<number>, adds: number[], sent: string]>([
  ['sends what one task adds at its end, without options', {}, [0, 0, 0, 5, 5], '0: 0 0 0, 5: 5 5'],
  ['sends a fixed window with an infinite wait', fixed, [0, 99, 100, 101], '100: 0 99, 200: 100 101'],
  ['takes maxWait alone for a fixed window', { maxWait: 100 }, [0, 99, 150], '100: 0 99, 250: 150'],
  ['sends maxSize items at once', { wait: 100, maxSize: 3 }, [0, 10, 20, 30], '20: 0 10 20, 130: 30'],
  ['rounds maxSize down', { wait: 100, maxSize: 2.5 }, [0, 10, 20], '10: 0 10, 120: 20'],
])('%s', (_, options, adds, expected) => {
  const { addAt, clock, sent } = setUp(options)
  for (const at of adds) void addAt(at)
  clock.advance(1000)
  expect(sent.map(([at, items]) => `${at}: ${items.join(' ')}`).join(', ')).toBe(expected)
})

describe('errors', () => {
  const bad = new Error('bad')

  it.each([
    [[], RangeError, 'Expected 2 results of flush, got 0'],
    [['A'], RangeError, 'Expected 2 results of flush, got 1'],
    [['A', 'B', 'C'], RangeError, 'Expected 2 results of flush, got 3'],
    ['AB', TypeError, 'Expected an array result of flush, got AB'],
    [null, TypeError, 'Expected an array result of flush, got null'],
    [{ length: 2 }, TypeError, 'Expected an array result of flush, got [object Object]'],
  ])('the result %o rejects every item with the expected form', async (answer, Type, message) => {
    for (const { error } of await answerWith(answer)) expect(error).toEqual(new Type(message))
  })

  it.each([
    'new TypeError("bad")',
    'new (class extends Error {})',
    // As Jest has it.
    '({ [Symbol.toStringTag]: "DOMException" })',
  ])('of another realm reject their items: %s', async (code) => {
    const error = runInNewContext(code) as Error
    expect(await answerWith([error, 'B'])).toEqual([
      { state: 'rejected', error },
      { state: 'resolved', value: 'B' },
    ])
  })

  it('of key reject the item, which is not sent', async () => {
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
})

it('size, isPending and subscribe show pending items, and each change', () => {
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
it('sends items before a listener can add others, and flush waits for them', async () => {
  const sent: number[] = []
  const { add, flush, subscribe } = batch(
    async (items: number[]) => {
      sent.push(...items)
      await settled()
      sent.push(0)
    },
    { maxSize: 1 },
  )
  const stop = subscribe(() => {
    stop()
    void add(2)
    void flush().then(() => sent.push(3))
  })
  await add(1)
  await settled()
  expect(sent).toEqual([1, 2, 0, 0, 3])
})
