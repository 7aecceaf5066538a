import fc from 'fast-check'
import { createWaitingLimiter, createQueue, gcra, tokenBucket, type RateLimitError } from 'lull/core'
import { createBucketEnvelope } from './envelope.ts'
import { anyOf, type Of } from '../../laws/steps.ts'
import { definePart } from '../part.ts'

const step = anyOf({
  add: [
    20,
    {
      priority: fc.constantFrom(0, 0, 0, 1, -1),
      timeoutMs: fc.constantFrom(Infinity, Infinity, Infinity, 0, 100, 1000),
      ends: fc.constantFrom('later', 'later', 'at once', 'throws', 'adds'),
    },
  ],
  end: [14, { which: fc.nat(3), fails: fc.boolean() }],
  abort: [4, { which: fc.nat(6) }],
  'pause clear': 2,
  resume: 3,
  pauseFor: [1, { ms: fc.constantFrom(0, 70, 300) }],
  configure: [
    1,
    {
      concurrency: fc.constantFrom(undefined, 1, 2, 5, Infinity),
      capacity: fc.constantFrom(undefined, 0, 3, Infinity),
    },
  ],
  'take wait': 2,
})

type Step = Of<typeof step>
type Adding = Omit<Extract<Step, { do: 'add' }>, 'do'>

interface Task extends Adding {
  n: number
  state: 'waits' | 'runs' | 'ended' | 'gone'
  controller: AbortController
  end?: (fails: boolean) => void
}

const RATE = 10

export const queuePart = definePart({
  name: 'queue',
  options: fc.record({
    limit: fc.constantFrom('none', 'drips', 'bursts'),
    overflow: fc.constantFrom('reject-new', 'drop-oldest', 'drop-newest'),
  }),
  step,
  begin(world, { limit, overflow }) {
    const { clock, claim } = world
    const aborted = new Error('aborted')
    const burst = limit === 'drips' ? 1 : 3
    const rule = (limit === 'drips' ? gcra : tokenBucket)({ ratePerSecond: RATE, burst })
    const limiter = limit === 'none' ? undefined : createWaitingLimiter<never>(rule, { clock })
    const envelope = limiter && createBucketEnvelope(world, RATE, burst)
    const queue = createQueue({ limiter, clock, overflow, concurrency: 2 })
    let tasks: Task[] = []
    let paused = { byHand: false, isTimed: false, from: 0, forMs: 0, setBackMs: 0 }
    let concurrency = 2
    let capacity = Infinity
    let started = 0
    let idlers = 0
    let waiters = 0
    let n = 0
    let isAtEnd = false

    const of = (state: Task['state']): Task[] => tasks.filter((task) => task.state === state)

    function run(task: Task): unknown {
      claim(task.state === 'waits', 'started a task that does not wait', task.n, task.state)
      claim(of('runs').length < concurrency, 'started more than may run', concurrency)
      claim(!paused.byHand, 'started while paused')
      if (clock.setBackMs === paused.setBackMs)
        claim(clock.progressMs - paused.from >= paused.forMs, 'started in a pause', paused.forMs)
      // The promise of a dropped task rejects later.
      const hasReplaced = overflow !== 'reject-new' && capacity < Infinity
      const isFirst = of('waits').every(
        ({ n, priority, timeoutMs }) =>
          n >= task.n || priority < task.priority || timeoutMs < Infinity || hasReplaced,
      )
      claim(isFirst, 'started before an earlier task of the same or higher priority', task.n)
      task.state = 'runs'
      started++
      envelope?.admit(1)
      if (task.ends === 'adds') add({ priority: 0, timeoutMs: Infinity, ends: 'at once' })
      if (task.ends !== 'later') task.state = 'ended'
      if (task.ends === 'throws') throw new Error('own')
      if (task.ends !== 'later') return task.n
      return new Promise((resolve, reject) => {
        task.end = (fails) => {
          task.state = 'ended'
          if (fails) reject(new Error('own'))
          else resolve(task.n)
        }
      })
    }

    function add(adding: Adding): void {
      const controller = new AbortController()
      const task: Task = { ...adding, n: ++n, state: 'waits', controller }
      tasks.push(task)
      const leave = (): Task['state'] => {
        const { state } = task
        task.state = 'gone'
        tasks = tasks.filter((other) => other !== task)
        return state
      }
      const { priority, timeoutMs } = adding
      queue
        .add(() => run(task), { priority, timeoutMs, signal: controller.signal })
        .then(
          (value) => claim(leave() === 'ended' && value === task.n, 'resolved with', value, task.n),
          (error: unknown) => {
            if (error === aborted) {
              leave()
              return
            }
            if ((error as Error).message === 'own')
              return claim(leave() === 'ended', 'rejects a task that has not run')
            claim(leave() === 'waits', 'rejects a task that runs', error)
            const { code } = error as RateLimitError
            if (code === 'disposed') claim(isAtEnd, 'is not disposed of')
            else if (code === 'wait-too-long') claim(timeoutMs < Infinity, 'timed out without a timeout')
            else if (code === 'queue-full') claim(capacity < Infinity, 'is not full')
            else claim((error as Error).name === 'AbortError', 'rejected with', error)
          },
        )
    }

    function act(step: Step): void {
      if (step.do === 'add') add(step)
      else if (step.do === 'end') {
        const running = of('runs').filter(({ end }) => end)
        running[step.which % Math.max(running.length, 1)]?.end!(step.fails)
      } else if (step.do === 'abort') {
        const task = of('waits')[step.which]
        // Before the abort, which makes room for others.
        if (task) task.state = 'gone'
        task?.controller.abort(aborted)
      } else if (step.do === 'pauseFor') {
        const leftMs = paused.from + paused.forMs - clock.progressMs
        const { setBackMs } = clock
        // The queue lost the time between its last reading and the set back, but its timer did not.
        const isLost = setBackMs !== paused.setBackMs && queue.size > 0
        if (step.ms > leftMs || setBackMs !== paused.setBackMs)
          paused = { ...paused, from: clock.progressMs, forMs: step.ms, setBackMs: isLost ? NaN : setBackMs }
        paused.isTimed ||= step.ms > 0
        queue.pauseFor(step.ms)
      } else if (step.do === 'pause' || step.do === 'resume') {
        paused.byHand = step.do === 'pause'
        queue[step.do]()
      } else if (step.do === 'clear') {
        queue.clear()
        claim(queue.size === 0, 'left something', queue.size)
      } else if (step.do === 'configure') {
        concurrency = step.concurrency ?? concurrency
        capacity = step.capacity ?? capacity
        queue.configure(step)
      } else if (step.do === 'take') {
        if (limiter?.allow()) envelope!.admit(1)
      } else if (limiter && waiters <= 2) {
        waiters++
        void limiter.wait().then(() => {
          waiters--
          envelope!.admit(1)
        })
      }
    }

    return {
      act,
      check() {
        const snapshot = queue.snapshot()
        claim(snapshot === queue.snapshot(), 'returned another snapshot without a change')
        claim(queue.size === of('waits').length, 'size is', queue.size, of('waits').length)
        claim(queue.running === of('runs').length, 'running are', queue.running, of('runs').length)
        claim(snapshot.started === started, 'has started', snapshot.started, started)
        claim(!isAtEnd || idlers === 0, 'is idle but onIdle is pending')
        const isFree = queue.running < concurrency && !paused.byHand && queue.size > 0 && clock.isQuiet
        claim(!isFree || clock.pending > 0, 'has no timer to start a pending task')
        // Only the limit can delay a task here.
        if (isFree && !paused.isTimed && waiters === 0)
          claim(!!envelope && !envelope.isOverdue(1), 'is idle while something could start')
      },
      end() {
        isAtEnd = true
        idlers++
        void queue.onIdle().then(() => idlers--)
        act({ do: 'resume' })
        queue[Symbol.dispose]()
        for (const { state, end } of [...tasks]) if (state === 'runs') end?.(false)
      },
    }
  },
})
