import {
  createLimiter,
  createQueue,
  RateLimitError,
  type QueueAddOptions,
  type QueueOptions,
  type Rule,
} from 'lull/core'
import type { ManualClock } from 'lull/testing'
import { createTestClock } from '../time/clocks.ts'

/** A queue whose tasks last `lastMs`; logs outcomes as `instant name`, or `instant name: error`. */
export function createLoggedQueue(options: QueueOptions = {}, lastMs = 0) {
  const clock = (options.clock as ManualClock | undefined) ?? createTestClock()
  const queue = createQueue({ clock, ...options })
  const starts: string[] = []
  const ends: string[] = []

  function add(name: string, options?: QueueAddOptions, taskMs = lastMs): void {
    const task = async (): Promise<void> => {
      starts.push(`${clock.now()} ${name}`)
      if (taskMs > 0) await new Promise<void>((resolve) => void clock.after(taskMs, resolve))
    }
    queue.add(task, options).then(
      () => ends.push(`${clock.now()} ${name}`),
      (error: unknown) => ends.push(`${clock.now()} ${name}: ${whyOf(error)}`),
    )
  }

  return { clock, queue, starts, ends, add }
}

/** Such a queue, and its limiter. */
export function createLimitedQueue<Changes>(rule: Rule<Changes>, options: QueueOptions = {}, lastMs = 0) {
  const clock = createTestClock()
  const limiter = createLimiter(rule, { clock })
  return { limiter, ...createLoggedQueue({ clock, limiter, ...options }, lastMs) }
}

export function whyOf(error: unknown): string {
  if (!(error instanceof RateLimitError)) return String(error)
  return error.retryAfterMs === Infinity ? error.code : `${error.code}, retry after ${error.retryAfterMs}`
}

/** `n0` to `n(count − 1)`. */
export const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`)

/** Each of `starts` without its name. */
export const instantsOf = (starts: string[]): number[] => starts.map((start) => Number(start.split(' ')[0]))
