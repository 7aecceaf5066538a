import {
  createCircuitBreaker,
  createConcurrencyLimiter,
  createWaitingLimiter,
  createQueue,
  tokenBucket,
  type CircuitBreaker,
  type Clock,
  type WaitingLimiter,
  type QueueOptions,
  type TokenBucketChanges,
  type WaitOptions,
} from 'lull/core'
import { lettered, type Lane, type Log, type Timing } from './timing.ts'

const tenASecond = (clock: Clock, burst: number): WaitingLimiter<TokenBucketChanges> =>
  createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst }), { clock })

const dropping: Lane = {
  name: 'if (limiter.allow())',
  make(clock, log) {
    const limiter = tenASecond(clock, 2)
    return { call: (text) => log[limiter.allow() ? 'run' : 'refused'](text) }
  },
}

const waiting = (name: string, options?: WaitOptions): Lane => ({
  name,
  make(clock, log) {
    const limiter = tenASecond(clock, 2)
    return {
      call(text) {
        const end = log.wait(text)
        limiter.wait(1, options).then(
          () => end('run'),
          () => end('refused'),
        )
      },
    }
  },
})

/** Logs a task of `ms`. */
const work = (clock: Clock, log: Log, text: string, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = log.task(text)
    clock.after(ms, () => {
      end('done')
      resolve()
    })
  })

const queued = (name: string, taskMs: number, options: (clock: Clock) => QueueOptions): Lane => ({
  name,
  make(clock, log) {
    const queue = createQueue({ ...options(clock), clock })
    return {
      call: (text) => void queue.add(() => work(clock, log, text, taskMs)).catch(() => log.refused(text)),
    }
  },
})

const concurrent: Lane = {
  name: 'createConcurrencyLimiter({ limit: 2, maxQueue: 2 })',
  make(clock, log) {
    const limiter = createConcurrencyLimiter({ limit: 2, maxQueue: 2, clock })
    return {
      call: (text) => void limiter.run(() => work(clock, log, text, 180)).catch(() => log.refused(text)),
    }
  },
}

const breaker = (clock: Clock): CircuitBreaker =>
  createCircuitBreaker({ minimumCalls: 4, failureRatio: 0.5, openMs: 300, clock })

/** Runs a call through the breaker: `ok` succeeds, others fail. Returns whether it was allowed. */
const tried = (circuit: CircuitBreaker, text: string): boolean => {
  const isAllowed = circuit.allow()
  if (isAllowed) circuit[text === 'ok' ? 'success' : 'failure']()
  return isAllowed
}

const guarded: Lane[] = [
  {
    name: 'started or refused',
    make(clock, log) {
      const circuit = breaker(clock)
      return { call: (text) => log[tried(circuit, text) ? 'run' : 'refused'](text) }
    },
  },
  {
    name: 'state',
    make(clock, log) {
      const circuit = breaker(clock)
      let last: string | undefined
      return {
        call: (text) => void tried(circuit, text),
        look() {
          if (circuit.state !== last) log.state((last = circuit.state))
        },
      }
    },
  },
]

export const limitDiagrams: Record<string, Timing> = {
  'create-limiter': {
    title: 'A token bucket of 10 a second and a burst of 2: dropped, waited for, or waited for up to 150 ms',
    endMs: 500,
    calls: lettered(0, 20, 40, 60, 80, 430),
    lanes: [
      dropping,
      waiting('await limiter.wait()'),
      waiting('await limiter.wait(1, { timeoutMs: 150 })', { timeoutMs: 150 }),
    ],
  },
  'create-queue': {
    title: 'When a queue starts its tasks, of 150 ms each',
    endMs: 800,
    callsName: 'tasks added',
    calls: lettered(0, 40, 80, 120, 160),
    lanes: [
      queued('{ concurrency: 1 }', 150, () => ({ concurrency: 1 })),
      queued('{ concurrency: 1, capacity: 2 }', 150, () => ({ concurrency: 1, capacity: 2 })),
      queued('{ limiter } of 10 a second, no burst', 150, (clock) => ({ limiter: tenASecond(clock, 1) })),
    ],
  },
  'create-concurrency-limiter': {
    title: 'Two tasks at a time, of 180 ms each, while two may wait',
    endMs: 500,
    callsName: 'tasks',
    calls: lettered(0, 40, 80, 120, 160, 400),
    lanes: [concurrent],
  },
  'create-circuit-breaker': {
    title: 'A circuit breaker: 4 calls, half of them failed, open it for 300 ms',
    endMs: 1400,
    calls: [
      { at: 40, text: 'ok' },
      { at: 120, text: 'ok' },
      { at: 200, text: 'bad' },
      { at: 280, text: 'bad' },
      { at: 380, text: 'ok' },
      { at: 480, text: 'ok' },
      { at: 760, text: 'bad' },
      { at: 900, text: 'ok' },
      { at: 1240, text: 'ok' },
      { at: 1320, text: 'ok' },
    ],
    lanes: guarded,
  },
}
