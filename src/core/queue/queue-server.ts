import { reasonOf } from '../shared/abort.ts'
import { createAlarm } from '../time/alarm.ts'
import type { Timers } from '../time/clock.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import type { ForwardTime } from '../time/forward-time.ts'
import { createLimiterTurn } from '../limit/limiter-turn.ts'
import { createNeverAborts } from '../shared/never-aborts.ts'
import type { QueueLine } from './queue-line.ts'
import type { QueueOptions } from './queue-types.ts'
import { dropTask, runTask, type QueuedTask } from './queued-task.ts'

/** What is so with a queue, beside its line. Instants are by the forward time. */
export interface QueueState {
  concurrency: number
  capacity: number
  running: number
  isPaused: boolean
  /** −Infinity: not paused for a time. */
  pausedUntil: number
  started: number
  refused: number
}

/** Takes the tasks out of a queue's line. */
export interface QueueServer {
  /** Whether it is at that: what is in line may be about to start. */
  isServing: () => boolean
  /** When it looks again of its own accord: Infinity if it need not. */
  wakesAt: () => number
  /** Starts what may start, ends what has waited too long, and sets the alarm for the rest. */
  serve: () => void
  /** Takes `task` out of the line, and rejects it. */
  drop: (task: QueuedTask, reason: unknown) => void
  /** As `drop`, and counts it. */
  refuse: (task: QueuedTask, code: RateLimitErrorCode, retryAfterMs?: number) => void
}

/** @param onServed told each time. */
export function createQueueServer(
  line: QueueLine,
  state: QueueState,
  limiter: QueueOptions['limiter'],
  clock: Timers,
  time: ForwardTime,
  onServed: () => void,
): QueueServer {
  const turn = limiter && createLimiterTurn(limiter, time, serve)
  const alarm = createAlarm(clock, onDue)
  const neverAborts = createNeverAborts()
  let wakesAt = Infinity
  let isServing = false

  function onDue(at: number): void {
    const dueAt = wakesAt
    wakesAt = Infinity
    serveFrom(at < Infinity ? -Infinity : dueAt, true)
  }

  function serve(): void {
    serveFrom(-Infinity, false)
  }

  /** @param since the instant, if a timer proves that it has come although the clock does not show it. */
  function serveFrom(since: number, isWoken: boolean): void {
    // What a task adds when it starts is served by the loop, not by a call in a call in a call.
    if (isServing) return
    isServing = true
    let nextAt = Infinity
    for (let first = line.first(); first; first = line.first()) {
      const now = Math.max(time.now(), since)
      if (now >= state.pausedUntil) state.pausedUntil = -Infinity
      nextAt = state.isPaused || state.running >= state.concurrency ? Infinity : state.pausedUntil
      const mayStart = nextAt < now && line.deadline() >= now && !first.signal?.aborted
      const waitMs = mayStart ? (turn?.take(first.cost, now, isWoken) ?? 0) : undefined
      // What aborts many tasks tells one after the other.
      if (first.signal?.aborted) drop(first, reasonOf(first.signal))
      else if (waitMs === 0) start(first)
      else if (waitMs === Infinity) refuse(first, 'wait-too-long')
      else if (line.deadline() <= now) refuse(line.soonest()!, 'wait-too-long', waitMs)
      else {
        if (waitMs === undefined) turn?.rest()
        else nextAt = time.now() + waitMs
        break
      }
    }
    if (line.size() === 0) turn?.rest()
    setAlarm(line.size() === 0 ? Infinity : Math.min(nextAt, line.deadline()))
    isServing = false
    onServed()
  }

  function setAlarm(at: number): void {
    if (at === wakesAt) return
    wakesAt = at
    // Not only pushed back: who has just lost a turn to another queue must come before that one the next time.
    alarm.clear()
    if (at < Infinity) alarm.set(time.toClock(at))
  }

  function start(task: QueuedTask): void {
    line.remove(task)
    state.running++
    state.started++
    runTask(task, neverAborts, onEnd)
  }

  function onEnd(): void {
    state.running--
    serve()
  }

  function drop(task: QueuedTask, reason: unknown): void {
    line.remove(task)
    dropTask(task, reason)
  }

  function refuse(task: QueuedTask, code: RateLimitErrorCode, retryAfterMs = Infinity): void {
    state.refused++
    drop(task, new RateLimitError(code, `Not run: ${code}`, retryAfterMs))
  }

  return {
    isServing: () => isServing,
    wakesAt: () => wakesAt,
    serve,
    drop,
    refuse,
  }
}
