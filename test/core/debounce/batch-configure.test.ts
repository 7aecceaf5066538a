import { batch, type BatchOptions } from 'lull/core'
import { expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'

function setUp(options: BatchOptions<string>) {
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
  const { clock, sent, add, batch } = setUp({ wait: 100 })
  add('a')
  clock.advance(40)
  batch.configure(changes)
  clock.advance(0)
  clock.advance(500)
  expect(sent).toEqual([entry])
})

it('what is not named stays, and what comes later is due as all of them say', () => {
  const { clock, sent, add, batch } = setUp({ wait: 100, maxWait: 150, maxSize: 3, key: (item) => item })
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
  const { clock, sent, add, batch } = setUp({ wait: 100 })
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
