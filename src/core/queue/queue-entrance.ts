import type { ForwardTime } from '../time/forward-time.ts'
import { leastWaitMs } from '../limit/least-wait.ts'
import type { QueueLine } from './queue-line.ts'
import type { QueueServer, QueueState } from './queue-server.ts'
import type { QueueOptions } from './queue-types.ts'
import type { QueuedTask } from './queued-task.ts'
import { aboveZero, SLACK_MS } from '../limit/rules/rule.ts'

/** Lets a task into a queue: into its line, even if it starts at once. Or refuses it. */
export function createQueueEntrance(
  line: QueueLine,
  state: QueueState,
  server: QueueServer,
  limiter: QueueOptions['limiter'],
  time: ForwardTime,
): (task: QueuedTask) => void {
  // How many will have been started when those in line have been that are about to.
  let promised = 0
  let hasStarted = false

  /** How many have a place in line. */
  function placesTaken(): number {
    promised = Math.max(promised, state.started)
    const dripping = hasStarted && limiter!.snapshot().burst <= 1 ? 1 : 0
    return line.size() - (promised - state.started) + dripping
  }

  function push(task: QueuedTask): void {
    const { priority, timeoutMs, cost } = task
    const now = time.now()
    const before = timeoutMs < Infinity ? line.costBefore(priority, now) : 0
    const limitMs = limiter ? leastWaitMs(limiter, before, cost) : 0
    const waitMs = Math.max(limitMs, state.pausedUntil - now, 0)
    // While one starts, those in line may be about to.
    const isNext = line.size() === 0 || server.isServing()
    const isReady =
      isNext && waitMs === 0 && !state.isPaused && state.running + line.size() < state.concurrency
    if (waitMs > timeoutMs + SLACK_MS || limitMs === Infinity || (timeoutMs === 0 && !isReady))
      return server.refuse(task, 'wait-too-long', waitMs || Infinity)

    const victim = isReady || placesTaken() < state.capacity ? undefined : line.victimOf(task)
    if (isReady) promised = Math.max(promised, state.started) + 1
    if (victim !== task) line.push(task, now, isReady ? Infinity : now + timeoutMs, victim)
    if (victim) server.refuse(victim, 'queue-full', aboveZero(server.wakesAt() - now))
  }

  return (task) => {
    const startedBefore = state.started
    push(task)
    server.serve()
    if (!limiter || state.capacity === Infinity || state.started === startedBefore) return
    // Until the end of this tick.
    hasStarted = true
    void Promise.resolve().then(() => (hasStarted = false))
  }
}
