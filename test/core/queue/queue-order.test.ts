import { createLimiter, gcra, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import type { QueueAddOptions, QueueOptions, QueueOverflow } from '../../../src/core/queue/queue.ts'
import { createTestClock } from '../time/clocks.ts'
import { named } from '../shared/named.ts'
import { settled } from '../shared/promises.ts'
import { createLoggedQueue, names } from './queue-log.ts'

/** A queue with one slot, which is taken until 100. */
function createBusyQueue(options: QueueOptions = {}) {
  const logged = createLoggedQueue({ concurrency: 1, ...options }, 100)
  logged.add('busy')
  return logged
}

/** The names of `starts`, in their order. */
const order = (starts: string[]): string => starts.map((start) => start.split(' ')[1]).join(' ')

describe('priority', () => {
  it.each(
    named<{ does: string; tasks: [name: string, priority?: number][]; order: string }>([
      {
        does: 'puts the higher first',
        tasks: [
          ['low', 1],
          ['high', 3],
          ['middle', 2],
        ],
        order: 'high middle low',
      },
      {
        does: 'is 0 by default',
        tasks: [['default'], ['above', 0.5], ['below', -0.5]],
        order: 'above default below',
      },
      {
        does: 'leaves those first that came first among equals',
        tasks: [
          ['a', 1],
          ['b', 0],
          ['c', 1],
          ['d', 0],
          ['e', 1],
        ],
        order: 'a c e b d',
      },
      {
        does: 'may be infinite',
        tasks: [
          ['never', -Infinity],
          ['b', 1e300],
          ['now', Infinity],
          ['soon', Infinity],
        ],
        order: 'now soon b never',
      },
    ]),
  )('%s', async (_, { tasks, order: expected }) => {
    const { clock, starts, add } = createBusyQueue()
    for (const [name, priority] of tasks) add(name, { priority })
    await clock.advanceAsync(1000)
    expect(order(starts)).toBe(`busy ${expected}`)
  })

  it('lets who comes later take the turn that the limiter gives, whatever its cost', async () => {
    const clock = createTestClock()
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 10, initial: 0 }), { clock })
    const { starts, add } = createLoggedQueue({ clock, limiter })
    add('dear', { cost: 10 })
    await clock.advanceAsync(550)
    add('urgent', { priority: 1, cost: 6 })
    await clock.advanceAsync(2000)
    expect(starts).toEqual(['600 urgent', '1600 dear'])
  })

  it('overtakes without a stall, in either direction: P31', async () => {
    const { clock, queue, starts, add } = createLoggedQueue({ concurrency: 1 }, 10)
    for (let n = 0; n < 100; n++) add(`n${n}`, { priority: n % 2 ? n : -n })
    await clock.advanceAsync(1000)
    expect([starts.length, queue.size, queue.running]).toEqual([100, 0, 0])
  })
})

describe('ageing', () => {
  it.each<[ageingMs: number | undefined, startsAt: number | undefined]>([
    // It goes before urgent ones that come 2 · ageingMs later. Until then one came every 50 ms, and one went every 100.
    [100, 500],
    [500, 2100],
    [Infinity, undefined],
    [undefined, undefined],
  ])(
    'of %s ms a level starts a task at %s that more urgent ones keep overtaking',
    async (ageingMs, startsAt) => {
      const { clock, queue, starts, add } = createBusyQueue({ ageingMs })
      add('starving')
      for (let at = 0; at < 3000; at += 50) {
        add('urgent', { priority: 2 })
        await clock.advanceAsync(50)
      }
      queue.clear()
      await clock.advanceAsync(100)
      const start = starts.find((start) => start.endsWith('starving'))
      expect(start).toBe(startsAt && `${startsAt} starving`)
    },
  )

  it('is 10 seconds a level by default', async () => {
    const { clock, queue, starts, add } = createBusyQueue()
    queue.pause()
    add('patient')
    await clock.advanceAsync(9999)
    add('sooner', { priority: 1 })
    await clock.advanceAsync(1)
    add('later', { priority: 1 })
    queue.resume()
    await clock.advanceAsync(1000)
    expect(order(starts)).toBe('busy sooner patient later')
  })
})

describe('capacity', () => {
  it('of 0 lets none wait: what starts at once runs, the rest is refused', async () => {
    const { clock, starts, ends, add } = createLoggedQueue({ concurrency: 2, capacity: 0 }, 100)
    for (const name of names(3)) add(name)
    await clock.advanceAsync(100)
    add('later')
    await clock.advanceAsync(100)
    expect(starts).toEqual(['0 n0', '0 n1', '100 later'])
    expect(ends).toEqual(['0 n2: queue-full', '100 n0', '100 n1', '200 later'])
  })

  it('counts who waits, not who runs', async () => {
    const { clock, queue, add } = createLoggedQueue({ concurrency: 3, capacity: 2 }, 100)
    for (const name of names(10)) add(name)
    expect([queue.running, queue.size, queue.snapshot().refused]).toEqual([3, 2, 5])
    await clock.advanceAsync(200)
  })

  it('may be lowered below the number that wait, who stay, and is in force for who comes', async () => {
    const { clock, queue, starts, ends, add } = createBusyQueue()
    for (const name of names(3)) add(name)
    queue.configure({ capacity: 1 })
    add('refused')
    await clock.advanceAsync(1000)
    expect(order(starts)).toBe('busy n0 n1 n2')
    expect(ends[0]).toBe('0 refused: queue-full')
    queue.configure({ capacity: 2 })
    for (const name of names(4)) add(name)
    expect(queue.size).toBe(2)
    await clock.advanceAsync(1000)
  })

  it('is free again for each that leaves', async () => {
    const { clock, queue, starts, add } = createBusyQueue({ capacity: 1 })
    const controller = new AbortController()
    add('aborted', { signal: controller.signal })
    controller.abort()
    add('late', { timeoutMs: 50 })
    await clock.advanceAsync(50)
    add('cleared')
    queue.clear()
    add('last')
    await clock.advanceAsync(1000)
    expect(order(starts)).toBe('busy last')
  })

  it('is told of with the time after which there is a place, where a limiter makes that', async () => {
    const clock = createTestClock()
    const limiter = createLimiter(gcra({ ratePerSecond: 10, burst: 1 }), { clock })
    const { queue, ends, add } = createLoggedQueue({ clock, limiter, capacity: 1 })
    add('first')
    await clock.advanceAsync(30)
    add('second')
    add('third')
    await settled()
    expect(ends.at(-1)).toBe('30 third: queue-full, retry after 70')
    await clock.advanceAsync(100)
    expect(queue.size).toBe(0)
  })
})

describe('overflow', () => {
  it.each(
    named<{
      does: string
      overflow?: QueueOverflow
      tasks: [name: string, options?: QueueAddOptions][]
      order: string
      refused: string[]
    }>([
      {
        does: 'refuses who comes, by default',
        tasks: [['a'], ['b'], ['c']],
        order: 'a b',
        refused: ['c'],
      },
      {
        does: 'refuses also who is more urgent',
        overflow: 'reject-new',
        tasks: [['a'], ['b'], ['c', { priority: 9 }]],
        order: 'a b',
        refused: ['c'],
      },
      {
        does: 'drops the oldest',
        overflow: 'drop-oldest',
        tasks: [['a'], ['b'], ['c'], ['d'], ['e']],
        order: 'd e',
        refused: ['a', 'b', 'c'],
      },
      {
        does: 'drops the newest of those that wait',
        overflow: 'drop-newest',
        tasks: [['a'], ['b'], ['c'], ['d'], ['e']],
        order: 'a e',
        refused: ['b', 'c', 'd'],
      },
      {
        does: 'drops the oldest of the least urgent',
        overflow: 'drop-oldest',
        tasks: [
          ['a', { priority: 2 }],
          ['b', { priority: 1 }],
          ['c', { priority: 1 }],
          ['d', { priority: 2 }],
        ],
        order: 'a d',
        refused: ['b', 'c'],
      },
      {
        does: 'drops the newest of the least urgent',
        overflow: 'drop-newest',
        tasks: [
          ['a', { priority: 1 }],
          ['b', { priority: 2 }],
          ['c', { priority: 2 }],
          ['d', { priority: 1 }],
        ],
        order: 'b c',
        refused: ['a', 'd'],
      },
      {
        does: 'drops none for one that is less urgent than all',
        overflow: 'drop-oldest',
        tasks: [['a', { priority: 1 }], ['b', { priority: 1 }], ['c']],
        order: 'a b',
        refused: ['c'],
      },
    ]),
  )('%s', async (_, { overflow, tasks, order: expected, refused }) => {
    const { clock, queue, starts, ends, add } = createBusyQueue({ capacity: 2, overflow })
    for (const [name, options] of tasks) add(name, options)
    expect(queue.size).toBe(Math.min(tasks.length, 2))
    await clock.advanceAsync(1000)
    expect(order(starts)).toBe(`busy ${expected}`)
    const full = ends.filter((end) => end.includes(':'))
    expect(full.sort()).toEqual(refused.map((name) => `0 ${name}: queue-full`).sort())
  })

  it('has the limiter asked for who is first now, when the first is dropped', async () => {
    const clock = createTestClock()
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 10, initial: 5 }), { clock })
    const { starts, add } = createLoggedQueue({ clock, limiter, capacity: 2, overflow: 'drop-oldest' })
    add('dear', { cost: 10 })
    add('cheap', { cost: 5 })
    expect(starts).toEqual([])
    add('next', { cost: 1 })
    await clock.advanceAsync(1000)
    expect(starts).toEqual(['0 cheap', '100 next'])
  })

  it('refuses a hopeless task without dropping another for it', async () => {
    const clock = createTestClock()
    const limiter = createLimiter(gcra({ ratePerSecond: 10, burst: 1 }), { clock })
    const { ends, add } = createLoggedQueue({ clock, limiter, capacity: 1, overflow: 'drop-oldest' })
    add('first')
    await settled()
    add('second')
    add('hopeless', { timeoutMs: 50 })
    await clock.advanceAsync(100)
    expect(ends).toEqual(['0 first', '0 hopeless: wait-too-long, retry after 100', '100 second'])
  })
})
