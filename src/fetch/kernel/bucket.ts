import { createOrderedQueue } from '../../core/queue/ordered-queue.ts'
import { onAbort } from '../../core/shared/abort.ts'
import { adviseOnHooks } from '../../core/shared/develop.ts'
import { RateLimitError, type RateLimitErrorCode } from '../../core/shared/errors.ts'
import type { AwakeTime } from '../../core/time/forward-time.ts'
import { report, safely } from '../../core/shared/report.ts'
import { LONGEST_MS } from '../../core/time/clock.ts'
import type { Call, ChargedOutcome } from './call.ts'
import { discard } from './request.ts'
import type { FetchEvent } from '../events.ts'
import { createGate, type Gate } from './gate.ts'
import type { KernelOptions } from '../options.ts'
import type { BucketContext, Policy, PolicyHooks } from '../policy.ts'
import { ROUNDING_MS, type Wait } from './retry.ts'
import { PAUSED, type BucketSnapshot } from '../snapshot.ts'

/** What the buckets of one fetch share. */
export interface Host {
  options: KernelOptions
  readonly time: AwakeTime
  /** The number of the newest request. */
  newest: number
  /** What calls reject with after it was disposed of. */
  over: Error | undefined
  readonly listeners: Set<() => void>
  readonly changed: (bucket: Bucket) => void
  readonly send: NonNullable<KernelOptions['fetch']>
  /** Returns the bucket of the origin that a response came from; undefined without a redirect. */
  readonly redirected: (response: Response, call: Call) => Bucket | undefined
}

/** The queue, counts and timer of calls that share one limit, usually those to one origin. */
export interface Bucket {
  readonly key: string
  readonly gate: Gate
  readonly emit: BucketContext['emit']
  /** Calls this hook of each policy and returns the results: undefined without the hook, or after an error, which is reported. */
  readonly ask: <Name extends Exclude<keyof PolicyHooks, 'countsOthers'>>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ) => (ReturnType<NonNullable<PolicyHooks[Name]>> | undefined)[]
  /** Admits a new call, and dispatches or queues it. Gives it up if a policy throws. */
  enter: (call: Call) => void
  /** Dispatches the queued call if it is its turn. */
  turn: (call: Call) => void
  /** Records the end of an attempt. If that closed the gate, returns the wait of the call. */
  ended: (call: Call, outcome: ChargedOutcome) => Wait | false
  /** Puts a call into the queue from `wakesAt` on. */
  sleep: (call: Call, wakesAt: number) => void
  /** Records that the call is over, with the response that it resolves with, if any. */
  left: (call: Call, response: Response | undefined) => void
  /** Wakes the next call, or sets the timer for it. Reports events. */
  drain: () => void
  /** As `drain`, when only the presence of listeners has changed. */
  schedule: () => void
  /** Applies changed options. */
  update: () => void
  setPaused: (paused: boolean) => void
  reset: () => void
  /** Gives up all calls that are not in flight. */
  dispose: () => void
  /** Whether the bucket may be removed: for `idleMs` no call was in it, and the gate is open. */
  isIdle: (idleMs: number) => boolean
  snapshot: () => BucketSnapshot
}

/** A timer that fires more than this early shows that the clock stands still. */
const EARLY_MS = 2

export function createBucket(key: string, host: Host, isPaused: boolean): Bucket {
  const { time } = host
  const { clock } = host.options
  /** Events to report once the state is up to date, because a listener may call anything. */
  const events: FetchEvent[] = []
  const emit: BucketContext['emit'] = (type, call, details) => {
    if (host.options.onEvent)
      events.push({
        type,
        ...(call && { call: call.arrival }),
        ...details,
        key,
        at: clock.now(),
      } as FetchEvent)
  }
  const gate = createGate(host, emit, () => queue.size() > 0, closed)
  const context: BucketContext = {
    key,
    clock,
    get options() {
      return host.options
    },
    now: time.now,
    size: () => queue.size(),
    readyAt: (call) => readyAt(time.now(), call),
    inFlight: () => flying.size,
    policies: () => policies,
    emit,
    skipProbe: gate.skipProbe,
    close(waitMs, source, call) {
      if (waitMs > 0) gate.close(waitMs, source, call)
      drain()
    },
    changed: drain,
    requeue(call) {
      if (!queue.remove(call)) return
      queue.add(call)
      drain()
    },
  }
  let inUse: readonly Policy[] = []
  let policies: readonly PolicyHooks[] = []
  const queue = createOrderedQueue(isBefore)
  const sleepers = createOrderedQueue<Call>((a, b) => a.wakesAt < b.wakesAt)
  /** All calls that have not settled. */
  const calls = new Set<Call>()
  /** Calls that wait for a response. */
  const flying = new Set<Call>()
  let idleSince = 0
  let stopTimer: (() => void) | undefined

  const ask: Bucket['ask'] = (name, ...args) => {
    type Hook = (...given: typeof args) => ReturnType<NonNullable<PolicyHooks[typeof name]>>
    // Faster than `map`, and of this length from the start: an array that grows takes more memory.
    const results = Array<ReturnType<Hook> | undefined>(policies.length)
    let index = 0
    for (const hooks of policies as Partial<Record<typeof name, Hook>>[])
      try {
        results[index++] = hooks[name]?.(...args)
      } catch (error) {
        report(error)
      }
    return results
  }

  /** The first policy that decides counts, else the order of arrival. */
  function isBefore(a: Call, b: Call): boolean {
    for (const hooks of policies) {
      const is = hooks.before?.(a, b)
      if (is !== undefined) return is
    }
    return a.arrival < b.arrival
  }

  /** Starts new policies, keeps those in use, and disposes of the others. */
  function applyPolicies(): void {
    const next = host.options.policies
    const old = policies
    policies = next.map((policy) => old[inUse.indexOf(policy)] ?? policy(context))
    inUse = next
    adviseOnHooks(policies)
    for (const hooks of old) if (!policies.includes(hooks)) safely(() => hooks.dispose?.())
  }

  function enqueue(call: Call): void {
    sleepers.remove(call)
    call.phase = 'queued'
    queue.add(call)
    dropIfTooLong(call)
  }

  /** Returns the earliest instant at which the call may be sent. Infinity: not before something changes. */
  function readyAt(now: number, call: Call): number {
    if (isPaused || flying.size >= host.options.concurrency) return Infinity
    let latest = gate.readyAt(now)
    for (const at of ask('readyAt', now, call)) if (at! > latest) latest = at!
    return latest
  }

  function dispatch(call: Call, now: number): void {
    queue.remove(call)
    flying.add(call)
    call.phase = 'in-flight'
    call.sequence = ++host.newest
    call.sentAt = now
    call.attempts++
    if (!call.isBypass) {
      gate.sent(call)
      ask('sent', call, now)
    }
    emit('dispatch', call, { attempt: call.attempts })
    drain()
  }

  function drain(): void {
    // Usually no call waits.
    if (gate.opensAt > -Infinity || stopTimer || queue.first() || sleepers.first()) schedule(time.now())
    host.changed(self)
    flush()
  }

  /** Wakes the next call, and sets the timer for the next change. */
  function schedule(now: number): void {
    gate.update(now)
    let sleeper: Call | undefined
    while ((sleeper = sleepers.first()) && sleeper.wakesAt <= now) enqueue(sleeper)
    const first = queue.first()
    const turnAt = first && readyAt(now, first)
    if (turnAt! <= now) first!.proceed?.()
    const openings = host.listeners.size ? gate.opensAt : undefined
    const at = Math.min(...([openings, sleeper?.wakesAt, turnAt].filter((one) => one! > now) as number[]))
    const waitMs = Math.min(at - now, LONGEST_MS)
    // By the clock itself: a test may fake the timers and the wall clock only.
    const due = clock.now() + waitMs
    stopTimer?.()
    stopTimer =
      at < Infinity && !host.over
        ? clock.after(waitMs, () => {
            if (due - clock.now() > EARLY_MS) time.reach(now + waitMs)
            drain()
          })
        : undefined
  }

  function flush(): void {
    for (let event: FetchEvent | undefined; (event = events.shift());)
      safely(() => host.options.onEvent?.(event))
  }

  /** Gives the call up, in any phase. */
  function fail(call: Call, error: unknown, isAbort?: boolean): void {
    if (call.isOver) return
    if (isAbort) emit('abort', call, { phase: call.phase })
    else
      emit('drop', call, {
        reason: error instanceof RateLimitError ? error.code : host.over ? 'disposed' : 'policy',
      })
    call.isOver = true
    call.reject(error)
    if (flying.has(call)) {
      call.interrupt?.(error)
      ended(call, { kind: 'aborted', error })
    }
    left(call)
  }

  /** Frees the place of an ended attempt, and closes the gate if it was refused. */
  function ended(call: Call, outcome: ChargedOutcome): Wait | false {
    const { kind, response, error, waitMs, readings = [], charged = self } = outcome
    const { attempts: attempt, isOver } = call
    if (response) {
      // The members take time to collect.
      if (host.options.onEvent)
        emit('response', call, {
          attempt,
          status: response.status,
          retryAfterMs: waitMs,
          ...(Object.assign({}, ...readings.map((reading) => reading?.detail)) as object),
        })
    } else if (!isOver) emit('error', call, { attempt, error })
    flying.delete(call)
    idleSince = time.now()
    const wait = gate.ended(call, kind) ?? (kind === 'throttled' && charged.gate.refused(call, outcome))
    ask('ended', call, outcome, idleSince)
    if (charged !== self) {
      charged.gate.ended(call, kind, true)
      charged.drain()
    }
    return wait
  }

  function left(call: Call, response?: Response): void {
    // Also the response of a call that was given up, from a fetch that ignores its signal.
    discard(call.unread)
    if (!calls.delete(call)) return
    call.isOver = true
    call.stop()
    queue.remove(call)
    sleepers.remove(call)
    ask('left', call, response)
    discard(call.source.unsent)
    drain()
  }

  function drop(call: Call, code: RateLimitErrorCode): void {
    const now = time.now()
    fail(call, new RateLimitError(code, `Call given up: ${code}`, Math.max(readyAt(now, call) - now, 0)))
  }

  function dropIfTooLong(call: Call): void {
    const { opensAt, jitterMs } = gate
    if (isPaused || call.isOver) return
    if (opensAt - jitterMs - time.now() > call.maxWaitMs + ROUNDING_MS) drop(call, 'wait-too-long')
    else if (opensAt - call.since > call.totalTimeoutMs) drop(call, 'deadline')
  }

  /** Tells policies that the gate has closed. If it closed for longer, drops calls that would wait too long. */
  function closed(isLater: boolean, newest: Call | undefined): void {
    ask('closed', gate.opensAt, newest)
    if (isLater) queue.all().forEach(dropIfTooLong)
  }

  const self: Bucket = {
    key,
    gate,
    emit,
    ask,
    enter(call) {
      const { isBypass, signal, totalTimeoutMs } = call
      const stopListening = signal && onAbort(signal, (reason) => fail(call, reason, true))
      const stopDeadline =
        totalTimeoutMs <= LONGEST_MS
          ? clock.after(totalTimeoutMs, () =>
              fail(call, new RateLimitError('deadline', `No response within ${totalTimeoutMs} ms`, 0)),
            )
          : undefined
      call.stop = () => {
        stopListening?.()
        stopDeadline?.()
      }
      call.fail = (reason) => fail(call, reason)
      call.wake = () => {
        if (!sleepers.has(call)) return
        enqueue(call)
        drain()
      }
      calls.add(call)
      emit(isBypass ? 'bypass' : 'enqueue', call)
      flush()
      try {
        // A callback may give the call up.
        for (const policy of policies) if (!call.isOver) policy.admit?.(call)
      } catch (error) {
        fail(call, error)
      }
      if (call.isOver) return
      const now = time.now()
      if (isBypass || (!queue.first() && readyAt(now, call) <= now)) {
        dispatch(call, now)
        return
      }
      enqueue(call)
      const { maxQueue, overflow } = host.options
      if (!queue.has(call)) return
      // The next call does not count if it may be sent now.
      const waiting = queue.size() - Number(readyAt(now, queue.first()!) <= now)
      if (waiting <= maxQueue || ask('overflow', call).includes(true)) return
      // Not a call that was sent and waits for its retry.
      const dropped = queue
        .all()
        .filter((one) => !one.sequence)
        .reduce((a, b) =>
          ((overflow === 'drop-lowest' && b.rank - a.rank) || a.arrival - b.arrival) > 0 ? b : a,
        )
      drop(overflow === 'reject-new' ? call : dropped, 'queue-full')
    },
    turn(call) {
      const now = time.now()
      if (queue.first() === call && readyAt(now, call) <= now) dispatch(call, now)
    },
    ended,
    sleep(call, wakesAt) {
      call.phase = 'sleeping'
      call.wakesAt = wakesAt
      sleepers.add(call)
    },
    left,
    drain,
    schedule() {
      schedule(time.now())
      flush()
    },
    update() {
      applyPolicies()
      // New policies may order the queue differently. It is emptied first, because it is searched by its order.
      const waiting = queue.all()
      waiting.forEach(queue.remove)
      waiting.forEach(queue.add)
      drain()
    },
    setPaused(paused) {
      isPaused = paused
      queue.all().forEach(dropIfTooLong)
      drain()
    },
    reset() {
      gate.reset()
      ask('reset')
      drain()
    },
    dispose() {
      for (const call of calls) if (call.phase !== 'in-flight') fail(call, host.over)
      ask('dispose')
      drain()
    },
    isIdle(idleMs) {
      const now = time.now()
      const isUnused = calls.size === 0 && !isPaused && Math.max(gate.opensAt, idleSince + idleMs) <= now
      return isUnused && !ask('isIdle', now).includes(false)
    },
    snapshot: () => ({
      queued: queue.size(),
      inFlight: flying.size,
      sleeping: calls.size - queue.size() - flying.size,
      gate: isPaused ? PAUSED : gate.snapshot(),
      window: gate.window(),
      ...(Object.assign({}, ...ask('snapshot')) as object),
    }),
  }
  applyPolicies()
  return self
}
