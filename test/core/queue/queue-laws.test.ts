import fc from 'fast-check'
import { createLimiter, gcra, slidingWindowLog, tokenBucket, type Limiter, type Rule } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createQueue } from '../../../src/core/queue/queue.ts'
import { settled } from '../shared/promises.ts'
import { tries } from '../../laws/tries.ts'

const RULES: Record<string, () => Rule<never>> = {
  'gcra, burst 1': () => gcra({ ratePerSecond: 9.99, burst: 1 }),
  'token bucket': () => tokenBucket({ ratePerSecond: 7, burst: 3 }),
  'sliding window log': () => slidingWindowLog({ limit: 3, windowMs: 400 }),
}

interface Adding {
  do: 'add'
  priority: number
  cost: number
  timeoutMs: number
  lastMs: number
  fails: boolean
}

type Step =
  | Adding
  | { do: 'advance' | 'pauseFor'; ms: number }
  | { do: 'abort'; which: number }
  | { do: 'concurrency'; to: number }
  | { do: 'pause' | 'resume' | 'clear' | 'take' }

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, otherwise: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary })

const adding: fc.Arbitrary<Adding> = fc.record({
  do: fc.constant('add' as const),
  priority: rarely(fc.integer({ min: -2, max: 3 }), 0),
  cost: rarely(fc.constantFrom(0, 0.5, 0.75), 1),
  timeoutMs: rarely(fc.constantFrom(0, 50, 200, 1000), Infinity),
  lastMs: fc.constantFrom(0, 0, 30, 100, 500),
  fails: fc.boolean(),
})

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: adding },
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant('advance' as const),
        ms: fc.constantFrom(0, 1, 10, 50, 100, 333, 1000),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat(60) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('pauseFor' as const), ms: fc.constantFrom(0, 70, 300) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('concurrency' as const),
        to: fc.constantFrom(1, 2, 5, Infinity),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'take' as const) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  ),
  { maxLength: 60, size: 'max' },
)

/** What the test knows of a task. */
interface Known extends Adding {
  n: number
  addedAt: number
  startedAt?: number
  isGone: boolean
  settled: number
  controller: AbortController
}

const AGEING_MS = 300

/** Whether `a` comes before `b`, as the contract has it. */
function isBefore(a: Known, b: Known): boolean {
  const urgency = (task: Known) => task.priority - task.addedAt / AGEING_MS
  return urgency(a) === urgency(b) ? a.n < b.n : urgency(a) > urgency(b)
}

/** Plays `script` on a queue, and checks all the time what always holds. */
async function play(script: Step[], rule: (() => Rule<never>) | undefined): Promise<void> {
  const clock = createManualClock(1000)
  const limiter: Limiter<never> | undefined = rule && createLimiter(rule(), { clock })
  const queue = createQueue({ limiter, clock, ageingMs: AGEING_MS, concurrency: 2 })
  const tasks: Known[] = []
  // What was found in a task, where nobody hears of an error.
  const wrong: unknown[] = []
  let isPaused = false
  let pausedUntil = 0
  let taken = 0

  const waiting = () => tasks.filter(({ startedAt, isGone }) => startedAt === undefined && !isGone)
  const running = () => tasks.filter(({ startedAt, isGone }) => startedAt !== undefined && !isGone)

  function add(step: Adding): void {
    const controller = new AbortController()
    const task: Known = {
      ...step,
      n: tasks.length,
      addedAt: clock.now(),
      isGone: false,
      settled: 0,
      controller,
    }
    tasks.push(task)
    const run = async (): Promise<void> => {
      const now = clock.now()
      // Whose time is over at this very instant may be refused or not.
      const isBehind = (other: Known) => other.addedAt + other.timeoutMs <= now || !isBefore(other, task)
      const checks = {
        isNew: !task.isGone && task.startedAt === undefined,
        hasSlot: running().length < queue.snapshot().concurrency,
        isFree: !isPaused && now >= pausedUntil,
        isInTime: now - task.addedAt <= task.timeoutMs,
        isNext: waiting().every(isBehind),
      }
      if (Object.values(checks).includes(false)) wrong.push({ now, task, checks })
      task.startedAt = now
      if (task.lastMs > 0) await new Promise<void>((resolve) => void clock.after(task.lastMs, resolve))
      task.isGone = true
      if (task.fails) throw new Error('own')
    }
    const { signal } = controller
    const { priority, cost, timeoutMs } = step
    const settle = (): void => {
      task.settled++
      if (task.startedAt === undefined) task.isGone = true
    }
    queue.add(run, { priority, cost, timeoutMs, signal }).then(settle, settle)
  }

  function isIdling(): boolean {
    const [first] = waiting().sort((a, b) => (isBefore(a, b) ? -1 : 1))
    if (!first || running().length >= queue.snapshot().concurrency || isPaused || clock.now() < pausedUntil)
      return false
    return !limiter || limiter.peek(first.cost).allowed
  }

  for (const step of script) {
    if (step.do === 'add') add(step)
    else if (step.do === 'advance') await clock.advanceAsync(step.ms)
    else if (step.do === 'abort') {
      const task = tasks[step.which]
      if (task && task.startedAt === undefined) task.isGone = true
      task?.controller.abort()
    } else if (step.do === 'concurrency') queue.configure({ concurrency: step.to })
    else if (step.do === 'pauseFor') {
      pausedUntil = Math.max(pausedUntil, clock.now() + step.ms)
      queue.pauseFor(step.ms)
    } else if (step.do === 'pause') {
      isPaused = true
      queue.pause()
    } else if (step.do === 'resume') {
      isPaused = false
      queue.resume()
    } else if (step.do === 'clear') {
      for (const task of waiting()) task.isGone = true
      queue.clear()
    } else if (limiter?.allow(1)) taken++
    await settled()
    expect(wrong).toEqual([])
    expect(isIdling()).toBe(false)
    expect({ size: queue.size, running: queue.running }).toEqual({
      size: waiting().length,
      running: running().length,
    })
    const started = tasks.filter(({ startedAt }) => startedAt !== undefined).length
    if (limiter) expect(limiter.snapshot()).toMatchObject({ allowed: started + taken })
  }

  const idle = queue.onIdle()
  queue[Symbol.dispose]()
  await clock.advanceAsync(1000)
  await idle
  expect(tasks.map((task) => task.settled)).toEqual(tasks.map(() => 1))
  expect(clock.pending).toBe(0)
}

it.each([...Object.entries(RULES), ['no limiter', undefined] as const])(
  'holds its limits, idles never, keeps the order and settles every task once: %s',
  async (_, rule) => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        await play(script, rule)
      }),
      tries(80),
    )
  },
)

it('never starts two closer than 1 / rate as a leaky bucket, whenever they come: law 1', async () => {
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
        // Instants are rounded to what a float64 of their size can tell.
        const roundingMs = 1e-6 + startMs * 2 ** -50
        for (let n = 1; n < count; n++)
          expect(starts[n]! - starts[n - 1]!).toBeGreaterThanOrEqual(periodMs - roundingMs)
        expect(clock.pending).toBe(0)
      },
    ),
    tries(100),
  )
})

it('holds no more than its capacity, and refuses exactly the others', async () => {
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
