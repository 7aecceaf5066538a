import fc from 'fast-check'
import { createLimiter, gcra } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createQueue } from '../../../src/core/queue/queue.ts'
import { tries } from '../../laws/tries.ts'

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

it('keeps at most its capacity, and refuses exactly the others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ms: fc.constantFrom(0, 10, 100), count: fc.nat(6) }), { maxLength: 30 }),
      fc.constantFrom(0, 1, 2, 5),
      fc.constantFrom(1, 3),
      fc.constantFrom('reject-new' as const, 'drop-oldest' as const, 'drop-newest' as const),
      async (arrivals, capacity, concurrency, overflow) => {
        const clock = createManualClock()
        const queue = createQueue({ clock, capacity, concurrency, overflow })
        const task = (): Promise<void> => new Promise((resolve) => void clock.after(30, resolve))
        let refused = 0
        let settledCount = 0
        let added = 0
        for (const { ms, count } of arrivals) {
          for (let n = 0; n < count; n++) {
            const isFull = queue.size === capacity && queue.running === concurrency
            added++
            queue.add(task).then(
              () => settledCount++,
              () => settledCount++,
            )
            if (isFull) refused++
            expect(queue.size).toBeLessThanOrEqual(capacity)
            expect(queue.snapshot().refused).toBe(refused)
          }
          await clock.advanceAsync(ms)
        }
        await clock.advanceAsync(30 * (capacity + 2))
        expect([queue.size, queue.running, settledCount]).toEqual([0, 0, added])
        expect(queue.snapshot().started).toBe(added - refused)
      },
    ),
    tries(200),
  )
})
