import fc from 'fast-check'
import { gcra, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import type { QueueOptions } from '../../../src/core/queue/queue.ts'
import { tries } from '../../laws/tries.ts'
import { settled } from '../shared/promises.ts'
import { createLimitedQueue, createLoggedQueue, names } from './queue-log.ts'

/** A queue with one slot, which is busy until 100. */
function createBusyQueue(options: QueueOptions = {}) {
  const logged = createLoggedQueue({ concurrency: 1, ...options }, 100)
  logged.add('busy')
  return logged
}

/** The names of `starts`, in their order. */
const order = (starts: string[]): string => starts.map((start) => start.split(' ')[1]).join(' ')

it('the next turn of the limiter goes to a later, more urgent task of any cost', async () => {
  const empty = tokenBucket({ ratePerSecond: 10, burst: 10, initial: 0 })
  const { clock, starts, add } = createLimitedQueue(empty)
  add('dear', { cost: 10 })
  await clock.advanceAsync(550)
  add('urgent', { priority: 1, cost: 6 })
  await clock.advanceAsync(2000)
  expect(starts).toEqual(['600 urgent', '1600 dear'])
})

it('a waiting task rises by a level every 10 seconds by default', async () => {
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

describe('capacity', () => {
  it('can be lowered below the number of pending tasks, which stay, and applies to new tasks', async () => {
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

  it('refuses with the time until the limiter frees a place', async () => {
    const drips = gcra({ ratePerSecond: 10, burst: 1 })
    const { clock, queue, ends, add } = createLimitedQueue(drips, { capacity: 2 })
    add('first')
    await clock.advanceAsync(30)
    for (const name of ['second', 'third', 'fourth']) add(name)
    await settled()
    expect(ends.slice(1)).toEqual(['30 fourth: queue-full, retry after 70'])
    await clock.advanceAsync(200)
    expect(queue.size).toBe(0)
  })
})

describe('overflow', () => {
  it('drops tasks that a running task adds, too', async () => {
    const options = { concurrency: 1, capacity: 2, overflow: 'drop-oldest' } as const
    const { clock, queue, starts, ends, add } = createLoggedQueue(options)
    void queue.add(() => {
      for (const name of names(5)) add(name)
      return new Promise<void>((resolve) => void clock.after(100, resolve))
    })
    expect(queue.size).toBe(2)
    await clock.advanceAsync(1000)
    expect(order(starts)).toBe('n3 n4')
    expect(ends.slice(0, 3)).toEqual(names(3).map((name) => `0 ${name}: queue-full`))
  })

  it('uses the cost of the new first task when the first is dropped', async () => {
    const half = tokenBucket({ ratePerSecond: 10, burst: 10, initial: 5 })
    const { clock, starts, add } = createLimitedQueue(half, { capacity: 2, overflow: 'drop-oldest' })
    add('dear', { cost: 10 })
    add('cheap', { cost: 5 })
    expect(starts).toEqual([])
    add('next', { cost: 1 })
    await clock.advanceAsync(1000)
    expect(starts).toEqual(['0 cheap', '100 next'])
  })
})

const priorities = fc.constantFrom(-Infinity, -1, -0.5, undefined, 0, 0, 1, 1e300, Infinity)

interface Waiting {
  name: string
  priority: number
  rank: number
}

it('starts, drops and forgets tasks as a sorted list does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.record({ priority: priorities }) },
          { weight: 2, arbitrary: fc.record({ abort: fc.nat(60) }) },
          { weight: 2, arbitrary: fc.record({ startAfterMs: fc.nat(300) }) },
        ),
        { maxLength: 80, size: 'max' },
      ),
      fc.constantFrom(0, 3, 10, Infinity),
      fc.constantFrom(undefined, 'reject-new' as const, 'drop-oldest' as const, 'drop-newest' as const),
      fc.constantFrom(100, 500, Infinity),
      async (steps, capacity, given, ageingMs) => {
        const overflow = given ?? 'reject-new'
        const clock = createManualClock()
        const options = { clock, capacity, concurrency: 1, overflow: given, ageingMs }
        const { queue, starts, ends, add } = createLoggedQueue(options)
        queue.pause()
        const aborts: AbortController[] = []
        let waiting: Waiting[] = []
        const started: string[] = []
        const refused: string[] = []
        for (const step of steps) {
          if ('priority' in step) {
            const { priority = 0 } = step
            const task = { name: `n${aborts.length}`, priority, rank: clock.now() / ageingMs - priority }
            const abort = new AbortController()
            aborts.push(abort)
            add(task.name, { priority: step.priority, signal: abort.signal })
            const index = waiting.findIndex((other) => task.rank < other.rank)
            const others =
              overflow === 'reject-new' ? [] : waiting.filter((other) => other.priority <= priority)
            waiting = waiting.toSpliced(index < 0 ? waiting.length : index, 0, task)
            if (waiting.length > capacity) {
              const least = Math.min(...others.map((other) => other.priority))
              const lowest = others.filter((other) => other.priority === least)
              const victim = lowest.at(overflow === 'drop-oldest' ? 0 : -1) ?? task
              refused.push(victim.name)
              waiting = waiting.filter((other) => other !== victim)
            }
          } else if ('abort' in step) {
            aborts[step.abort]?.abort()
            waiting = waiting.filter((other) => other.name !== `n${step.abort}`)
          } else {
            clock.advance(step.startAfterMs)
            queue.resume()
            queue.pause()
            const next = waiting.shift()
            if (next) started.push(next.name)
          }
          await settled()
          expect(queue.size).toBe(waiting.length)
        }
        expect(starts.map((start) => start.split(' ')[1])).toEqual(started)
        const full = ends.filter((end) => end.endsWith('queue-full'))
        expect(full.map((end) => end.split(/[ :]/)[1])).toEqual(refused)
      },
    ),
    tries(2000),
  )
})
