import { createLimiter, gcra, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createQueue } from '../../../src/core/queue/queue.ts'
import { createTestClock } from '../time/clocks.ts'
import { settled, track } from '../shared/promises.ts'
import { createLoggedQueue, instantsOf } from './queue-log.ts'

// Where two things meet: what only an exact value tells apart.

const never = (): Promise<never> => new Promise(() => undefined)

const refused = (ends: readonly string[]): string[] => ends.filter((end) => end.includes(':'))

/** A queue at one a second, whose first second has just been taken. */
function createSlowQueue(options: Parameters<typeof createQueue>[0] = {}) {
  const clock = createTestClock()
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
  const logged = createLoggedQueue({ limiter, clock, ...options })
  logged.add('first')
  return logged
}

describe('waiting too long', () => {
  it('is told at its own instant, whatever the order in which they came', async () => {
    const clock = createTestClock()
    const queue = createQueue({ clock, concurrency: 1 })
    void queue.add(never)
    const ends: string[] = []
    for (const timeoutMs of [30, 10, 40, 20])
      queue.add(never, { timeoutMs }).catch(() => ends.push(`${clock.now()}: ${timeoutMs}`))
    await clock.advanceAsync(100)
    expect(ends).toEqual(['10: 10', '20: 20', '30: 30', '40: 40'])
  })

  it('is not what somebody does who goes before those in line', async () => {
    const { clock, starts, ends, add } = createSlowQueue()
    for (const name of ['a', 'b', 'c']) add(name)
    add('urgent', { priority: 9, timeoutMs: 1500 })
    await clock.advanceAsync(10_000)
    expect(refused(ends)).toEqual([])
    expect(starts).toEqual(['0 first', '1000 urgent', '2000 a', '3000 b', '4000 c'])
  })

  it('ends a pause later than now', async () => {
    const clock = createTestClock(1000)
    const { queue, starts, ends, add } = createLoggedQueue({ clock })
    queue.pauseFor(100)
    add('patient', { timeoutMs: 150 })
    add('hasty', { timeoutMs: 50 })
    await clock.advanceAsync(100)
    expect(starts).toEqual(['1100 patient'])
    expect(refused(ends)).toEqual(['1000 hasty: wait-too-long, retry after 100'])
  })
})

describe('a full queue', () => {
  it('without a place at all has nobody who could go', async () => {
    const { ends, add } = createLoggedQueue({
      clock: createTestClock(),
      capacity: 0,
      concurrency: 1,
      overflow: 'drop-oldest',
    })
    add('first')
    add('second')
    await settled()
    expect(refused(ends)).toEqual(['0 second: queue-full'])
  })

  it('loses nobody to who cannot wait', async () => {
    const { clock, starts, ends, add } = createSlowQueue({ capacity: 1, overflow: 'drop-oldest' })
    await settled()
    add('waits')
    add('hasty', { timeoutMs: 0 })
    await clock.advanceAsync(2000)
    expect(instantsOf(starts)).toEqual([0, 1000])
    expect(refused(ends)).toEqual(['0 hasty: wait-too-long, retry after 1000'])
  })

  it('loses nobody to who cannot wait until another has ended', async () => {
    const { clock, starts, ends, add } = createLoggedQueue(
      { clock: createTestClock(), concurrency: 1, capacity: 1, overflow: 'drop-oldest' },
      1000,
    )
    add('runs')
    add('waits')
    add('hasty', { timeoutMs: 0 })
    await clock.advanceAsync(2000)
    expect(starts).toEqual(['0 runs', '1000 waits'])
    expect(refused(ends)).toEqual(['0 hasty: wait-too-long'])
  })

  it('has its places for as many as it says when none has started in this tick', async () => {
    const clock = createTestClock()
    const limiter = createLimiter(gcra({ ratePerSecond: 10, burst: 1 }), { clock })
    const { queue, ends, add } = createLoggedQueue({ limiter, capacity: 2, clock })
    queue.pause()
    add('a')
    add('b')
    await settled()
    expect([queue.size, refused(ends)]).toEqual([2, []])
    queue.resume()
    await clock.advanceAsync(1000)
  })
})

it('who has aborted already does not stand in line', async () => {
  const queue = createQueue({ clock: createTestClock() })
  queue.pause()
  void queue.add(never)
  const late = track(queue.add(never, { signal: AbortSignal.abort('gone') }))
  expect(queue.size).toBe(1)
  await settled()
  expect(late).toEqual({ state: 'rejected', error: 'gone' })
})

it('says what was wrong', async () => {
  const queue = createQueue({ clock: createTestClock() })
  expect(() => queue.pauseFor(-1)).toThrow(new RangeError('Expected ms >= 0, got -1'))
  queue[Symbol.dispose]()
  await expect(queue.add(never)).rejects.toMatchObject({ code: 'disposed', message: 'Not run: disposed' })
})
