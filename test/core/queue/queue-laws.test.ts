import fc from 'fast-check'
import { createLimiter, gcra } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createQueue } from '../../../src/core/queue/queue.ts'
import { tries } from '../../laws/tries.ts'
import { settled } from '../shared/promises.ts'
import { createLoggedQueue } from './queue-log.ts'

it('as a leaky bucket, never starts two tasks closer than 1 / rate', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ms: fc.double({ min: 0, max: 300, noNaN: true }), count: fc.nat(4) }), {
        maxLength: 30,
        size: 'max',
      }),
      fc.constantFrom(1 / 3, 0.7, 7, 9.99, 12_345.678),
      fc.constantFrom(0, 1e6, 2 ** 41),
      async (arrivals, ratePerSecond, startMs) => {
        const clock = createManualClock(startMs)
        const queue = createQueue({
          limiter: createLimiter(gcra({ ratePerSecond, burst: 1 }), { clock }),
          clock,
        })
        const starts: number[] = []
        let count = 0
        for (const arrival of arrivals) {
          for (let n = 0; n < arrival.count; n++) void queue.add(() => starts.push(clock.now()))
          count += arrival.count
          await clock.advanceAsync(arrival.ms)
        }
        await clock.advanceAsync((count * 1000) / ratePerSecond)
        expect(starts).toHaveLength(count)
        const periodMs = 1000 / ratePerSecond
        // Tolerance for the float64 rounding of instants of this size.
        const roundingMs = 1e-6 + startMs * 2 ** -50
        for (let n = 1; n < count; n++)
          expect(starts[n]! - starts[n - 1]!).toBeGreaterThanOrEqual(periodMs - roundingMs)
        expect(clock.pending).toBe(0)
      },
    ),
    tries(100),
  )
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
