import fc from 'fast-check'
import { gcra, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { orNot, scriptsOf } from '../../laws/steps.ts'
import { forAllAsync } from '../../laws/tries.ts'
import { settled, track, type Tracked } from '../shared/promises.ts'
import { createLimitedQueue, createLoggedQueue, names } from './queue-log.ts'

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

it('a full queue refuses with the time until the limiter frees a place', async () => {
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

interface Task {
  name: string
  priority: number
  weight: number
  lastMs: number
  rank: number
  deadline: number
  /** When it ends, once it has started. */
  endsAt: number
}

type Overflow = 'reject-new' | 'drop-oldest' | 'drop-newest'

/** A queue without a limiter, as a sorted list. Its log is that of a logged queue. */
function createModel(
  overflow: Overflow,
  ageingMs: number,
  limits: { concurrency: number; capacity: number },
) {
  let now = 0
  let waiting: Task[] = []
  let running: Task[] = []
  let isPaused = false
  let pausedUntil = 0
  const starts: string[] = []
  const rejected: string[] = []

  function serve(): void {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const used = running.reduce((sum, { weight }) => sum + weight, first.weight)
      if (isPaused || now < pausedUntil || (running.length > 0 && used > limits.concurrency)) return
      waiting.shift()
      first.endsAt = now + first.lastMs
      running.push(first)
      starts.push(`${now} ${first.name}`)
    }
  }

  function drop(task: Task, why: string): void {
    waiting = waiting.filter((other) => other !== task)
    rejected.push(`${now} ${task.name}: ${why}`)
    serve()
  }

  return {
    starts,
    rejected,
    waiting: () => waiting,
    shown: () => ({
      size: waiting.length,
      running: running.length,
      isPaused,
      started: starts.length,
      ...limits,
    }),
    pausedUntil: () => (now < pausedUntil ? pausedUntil : undefined),
    serve,
    drop,
    add(task: Task, timeoutMs: number) {
      task.rank = now / ageingMs - task.priority
      task.deadline = now + timeoutMs
      const index = waiting.findIndex((other) => task.rank < other.rank)
      waiting.splice(index < 0 ? waiting.length : index, 0, task)
      serve()
      if (!waiting.includes(task)) return
      const isTooLong = timeoutMs === 0 || pausedUntil > now + timeoutMs
      if (isTooLong) drop(task, 'wait-too-long')
      else if (waiting.length > limits.capacity) {
        const others = waiting.filter((other) => other !== task && other.priority <= task.priority)
        const least = Math.min(...others.map(({ priority }) => priority))
        const lowest = overflow === 'reject-new' ? [] : others.filter(({ priority }) => priority === least)
        drop(lowest.at(overflow === 'drop-oldest' ? 0 : -1) ?? task, 'queue-full')
      }
    },
    pause: (isSo: boolean) => void (isPaused = isSo),
    pauseFor: (ms: number) => void (pausedUntil = Math.max(pausedUntil, now + ms)),
    clear() {
      for (const { name } of waiting.splice(0)) rejected.push(`${now} ${name}: AbortError: Queue cleared`)
    },
    /** From event to event; of those that are due now, the ends of tasks come first. */
    advance(ms: number) {
      const end = now + ms
      for (;;) {
        const instants = [...running.map(({ endsAt }) => endsAt), ...waiting.map(({ deadline }) => deadline)]
        const next = Math.min(...instants, pausedUntil > now ? pausedUntil : Infinity)
        if (next > end) break
        now = next
        const { length } = running
        running = running.filter(({ endsAt }) => endsAt > now)
        serve()
        if (running.length !== length) continue
        for (const task of waiting) if (task.deadline <= now) drop(task, 'wait-too-long')
      }
      now = end
    },
  }
}

const slots = fc.constantFrom(1, 1, 2, 5, Infinity)
const places = fc.constantFrom(0, 3, 10, Infinity)
const script = scriptsOf(80, {
  add: [
    8,
    {
      priority: fc.constantFrom(-Infinity, -1, -0.5, undefined, 0, 0, 1, 1e300, Infinity),
      timeoutMs: fc.constantFrom(Infinity, Infinity, Infinity, 0, 50, 400),
      lastMs: fc.constantFrom(0, 10, 100, 100, 1000),
      weight: fc.constantFrom(1, 1, 1, 0, 2),
    },
  ],
  abort: [1, { which: fc.nat(9) }],
  advance: [6, { ms: fc.oneof(fc.nat(100), fc.nat(1000), fc.constant(5000)) }],
  pauseFor: [1, { ms: fc.constantFrom(0, 20, 500) }],
  pause: 1,
  'resume resume clear': 1,
  configure: [1, { concurrency: orNot(slots), capacity: orNot(places) }],
})

it('starts, drops, rejects and forgets tasks as a sorted list does', async () => {
  await forAllAsync(
    2000,
    script,
    fc.constantFrom(undefined, 'reject-new' as const, 'drop-oldest' as const, 'drop-newest' as const),
    fc.constantFrom(undefined, 100, 500, Infinity),
    fc.record({ concurrency: slots, capacity: places }),
    async (script, overflow, ageingMs, limits) => {
      const clock = createManualClock()
      const { queue, starts, ends, add } = createLoggedQueue({ clock, overflow, ageingMs, ...limits })
      const model = createModel(overflow ?? 'reject-new', ageingMs ?? 10_000, limits)
      const aborts = new Map<string, AbortController>()
      const idles: Tracked<void>[] = []
      for (const [id, step] of script.entries()) {
        if (step.do === 'add') {
          const abort = new AbortController()
          const { priority, lastMs } = step
          const task = { name: `n${id}`, rank: 0, deadline: 0, endsAt: 0, lastMs, priority: priority ?? 0 }
          const weight = Math.min(step.weight, limits.concurrency)
          // No two events at an instant whose order would matter.
          const timeoutMs = step.timeoutMs && step.timeoutMs + id / 128
          aborts.set(task.name, abort)
          add(task.name, { priority, weight, timeoutMs, signal: abort.signal }, lastMs)
          model.add({ ...task, weight }, timeoutMs)
        } else if (step.do === 'abort') {
          const task = model.waiting()[step.which]
          if (task) model.drop(task, 'gone')
          if (task) aborts.get(task.name)!.abort('gone')
        } else if (step.do === 'advance') {
          await clock.advanceAsync(step.ms)
          model.advance(step.ms)
        } else if (step.do === 'pauseFor') {
          const ms = step.ms && step.ms + 1 / 1024
          queue.pauseFor(ms)
          model.pauseFor(ms)
        } else if (step.do === 'configure') {
          const { concurrency = limits.concurrency, capacity = limits.capacity } = step
          queue.configure(step)
          Object.assign(limits, { concurrency, capacity })
        } else {
          queue[step.do]()
          if (step.do === 'clear') model.clear()
          else model.pause(step.do === 'pause')
        }
        model.serve()
        idles.push(track(queue.onIdle()))
        await settled()
        model.advance(0)
        const { refused, pausedUntil, ...shown } = queue.snapshot()
        expect(shown).toEqual({ ...model.shown(), isLimited: false })
        const isIdle = shown.size + shown.running === 0
        expect(idles.at(-1)!.state).toBe(isIdle ? 'resolved' : 'pending')
        expect(starts).toEqual(model.starts)
        const rejected = ends.filter((end) => end.includes(':')).map((end) => end.split(',')[0])
        expect(rejected).toEqual(model.rejected)
        expect(refused).toBe(rejected.filter((end) => !/gone|cleared/.test(end!)).length)
        if (model.pausedUntil() !== undefined) expect(pausedUntil).toBe(model.pausedUntil())
        if (shown.size === 0) expect(clock.pending).toBeLessThanOrEqual(shown.running)
      }
      queue.resume()
      await clock.advanceAsync(1e6)
      expect(clock.pending).toBe(0)
      expect(new Set(idles.map(({ state }) => state))).not.toContain('pending')
    },
  )
})
