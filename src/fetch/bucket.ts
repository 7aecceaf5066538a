import { RateLimitError, type RateLimitErrorCode } from '../core/shared/errors.ts'
import { createHeap } from '../core/queue/heap.ts'
import { report } from '../core/shared/report.ts'
import type { AwakeTime } from './awake-time.ts'
import type { Call, Outcome } from './call.ts'
import type { EventDetail, FetchEvent, WaitSource } from './events.ts'
import { createGate } from './gate.ts'
import type { KernelOptions, RetryDecision } from './options.ts'
import { createHooks } from './hooks.ts'
import type { BucketContext, Reading } from './policy.ts'
import { backoffMs, decide, draw, jitterMs, ROUNDING_MS } from './retry.ts'
import type { BucketSnapshot, GateSnapshot } from './snapshot.ts'

/** What the buckets of one fetch share. */
export interface Host {
  readonly options: KernelOptions
  readonly time: AwakeTime
  /** The number of the newest request. */
  newest: number
  /** What calls reject with after it was disposed of. */
  disposedWith: () => DOMException | undefined
  /** Whether somebody subscribed: then the opening of a gate is a change. */
  isWatched: () => boolean
  changed: (bucket: Bucket) => void
}

/** The calls that share one limit, as a rule those to one origin: their queue, gate and policies. */
export interface Bucket {
  readonly key: string
  /** The instant at which the gate opens. */
  opensAt: () => number
  /** A call has come. It is given up if a policy refuses it, or the gate is closed for too long. */
  enter: (call: Call) => void
  /** Lets the call be sent now, if it is its turn. Throws the reason if it was given up. */
  take: (call: Call) => boolean
  /** Waits for the call's turn; with `waitMs`, sleeps first. */
  turn: (call: Call, waitMs?: number) => Promise<void>
  /** Asks the policies what a response says of limits. */
  read: (response: Response, wallMs: number) => readonly (Reading | undefined)[]
  /** Closes the gate for a refusal. Returns ms that the refused call waits, and how many of them are jitter. */
  refused: (call: Call, outcome: Outcome) => [waitMs: number, spreadMs: number]
  /**
   * Takes in what has become of an attempt. Returns ms until the next one: 0 if the call waits at the gate, undefined if there
   * is none. `charged` is the bucket whose limit the response is of.
   */
  conclude: (
    call: Call,
    outcome: Outcome,
    charged: Bucket,
  ) => number | undefined | PromiseLike<number | undefined>
  /** The call is over; `response` is what it resolves with. */
  leave: (call: Call, response: Response | undefined) => void
  /** Gives a call up, in whatever phase. */
  fail: (call: Call, error: unknown) => void
  /** Wakes the call whose turn it is, or sets the timer for it. Reports what happened. */
  drain: () => void
  /** The options have changed. */
  update: () => void
  setPaused: (paused: boolean) => void
  reset: () => void
  /** Gives up all calls that wait. */
  dispose: (reason: unknown) => void
  /** Whether it may be forgotten: nothing waits, is in flight or is closed, since `idleMs`. */
  isIdle: (idleMs: number) => boolean
  snapshot: () => BucketSnapshot
}

/** The longest delay that platforms take. */
export const LONGEST_MS: number = 2 ** 31 - 1
/** A timer that is so early by the clock proves that the clock stands still. */
const EARLY_MS = 2
/** An aborted fetch that hears its signal rejects within so many continuations. */
const REJECTS_WITHIN = 9

export function createBucket(key: string, host: Host): Bucket {
  const { time } = host
  const { clock } = host.options
  const gate = createGate()
  const hooks = createHooks()
  const { ask, isBefore } = hooks
  const queue = createHeap<Call>(isBefore)
  const sleepers = createHeap<Call>((a, b) => a.wakesAt < b.wakesAt)
  const events: FetchEvent[] = []
  let calls = 0
  let inFlight = 0
  let idleSince = 0
  let isPaused = false
  /** The gate has closed, and its opening has not been reported. */
  let isShut = false
  /** When the server would have it open, which may be later than it does. */
  let serverOpensAt = -Infinity
  /** How much of the cooldown only keeps clients from coming all at once. */
  let spreadMs = 0
  let closedBy: WaitSource | undefined
  /** One draw for all refusals that are one event. */
  let drawn: readonly [number, number] = [0, 0]
  let stopTimer: (() => void) | undefined
  let isDirty = true
  let shown: BucketSnapshot | undefined

  function emit(detail: EventDetail): void {
    if (host.options.onEvent) events.push({ ...detail, key, at: clock.now() })
  }

  function flush(): void {
    for (let event; (event = events.shift());)
      try {
        host.options.onEvent?.(event)
      } catch (error) {
        report(error)
      }
  }

  /** The earliest instant at which the call may be sent; Infinity: not before something changes. */
  function readyAt(now: number, call: Call): number {
    if (isPaused || inFlight >= host.options.concurrency) return Infinity
    let latest = Math.max(gate.opensAt, gate.roomAt(now))
    for (const at of ask('readyAt', now, call)) if (at > latest) latest = at
    return latest
  }

  function drain(): void {
    // Most of the time nobody waits.
    if (isShut || stopTimer || queue.size() + sleepers.size() > 0) schedule(time.now())
    isDirty = true
    host.changed(self)
    flush()
  }

  /** Wakes the call whose turn it is, and sets the timer for the next change. */
  function schedule(now: number): void {
    if (isShut && gate.opensAt <= now) {
      isShut = false
      emit({ type: 'gate-opened' })
    }
    let at = isShut && host.isWatched() ? gate.opensAt : Infinity
    for (let call; (call = sleepers.peek()) && call.wakesAt <= now;) enqueue(call, now)
    const first = queue.peek()
    const turnAt = first ? readyAt(now, first) : Infinity
    if (turnAt <= now) first!.wake()
    else at = Math.min(at, turnAt)
    at = Math.min(at, sleepers.peek()?.wakesAt ?? at)
    stopTimer?.()
    stopTimer = undefined
    if (at < Infinity && !host.disposedWith())
      stopTimer = clock.after(Math.min(at - now, LONGEST_MS), () => {
        if (at - now <= LONGEST_MS && at - time.now() >= EARLY_MS) time.reach(at)
        drain()
      })
  }

  function enqueue(call: Call, now: number): void {
    sleepers.remove(call)
    call.phase = 'queued'
    queue.push(call)
    dropIfTooLong(call, now)
  }

  function sleep(call: Call, wakesAt: number): void {
    call.phase = 'sleeping'
    call.wakesAt = wakesAt
    sleepers.push(call)
  }

  function dequeue(call: Call): void {
    queue.remove(call)
    sleepers.remove(call)
  }

  function fail(call: Call, error: unknown, isLate = false): void {
    const { arrival, phase, signal } = call
    if (call.isOver) return
    const isAbort = signal?.aborted && error === signal.reason
    // A fetch that hears the signal rejects first, with what it likes; one that does not is not waited for.
    if (isAbort && phase === 'in-flight' && !isLate)
      return void afterContinuations(REJECTS_WITHIN, () => fail(call, error, true))
    const code = error instanceof RateLimitError ? error.code : host.disposedWith() ? 'disposed' : 'policy'
    call.isOver = true
    call.reason = error
    dequeue(call)
    emit(
      isAbort
        ? { type: 'abort', call: arrival, phase }
        : { type: 'drop', call: arrival, reason: code === 'circuit-open' ? 'breaker' : code },
    )
    call.reject(error)
    call.interrupt(error)
    drain()
  }

  function drop(call: Call, code: RateLimitErrorCode, now: number): void {
    const retryAfterMs = Math.max(readyAt(now, call) - now, 0)
    fail(call, new RateLimitError(code, `Request not sent: ${code}`, retryAfterMs))
  }

  function dropIfTooLong(call: Call, now: number): void {
    if (isPaused || call.isBypass) return
    if (gate.opensAt - spreadMs - now > call.maxWaitMs + ROUNDING_MS) drop(call, 'wait-too-long', now)
    else if (gate.opensAt - call.since > call.totalTimeoutMs) drop(call, 'deadline', now)
  }

  /** Closes the gate. `call` is the one that was refused or lost, or whose response says that nothing is left. */
  function close(waitMs: number, source: WaitSource, call?: Call, spread = 0, isRefusal = false): void {
    const now = time.now()
    const before = gate.opensAt
    const until = now + Math.min(waitMs, host.options.maxGateMs)
    const isNew = gate.close(until, call?.sequence ?? Infinity, host.newest, isRefusal)
    if (isNew === undefined) return
    const isLater = gate.opensAt > before
    serverOpensAt = Math.max(serverOpensAt, now + waitMs)
    if (isLater) {
      spreadMs = spread
      closedBy = source
    }
    const type = isNew || !(isRefusal || isShut) ? 'gate-closed' : 'gate-extended'
    if (isLater || type === 'gate-closed')
      emit({ type, until: time.toClock(gate.opensAt), ms: gate.opensAt - now, source: closedBy! })
    isShut = true
    ask('closed', gate.opensAt, isNew ? call : undefined)
    if (isLater) for (const waiting of queue.all()) dropIfTooLong(waiting, now)
  }

  const others = { size: 0, inFlight: 0 }
  const context: BucketContext = {
    key,
    clock,
    get options() {
      return host.options
    },
    now: time.now,
    size: () => queue.size() + others.size,
    readyAt: (call) => readyAt(time.now(), call),
    inFlight: () => inFlight + others.inFlight,
    others,
    startWindow: gate.start,
    close(waitMs, source, call) {
      if (waitMs > 0) close(waitMs, source, call)
      drain()
    },
    changed: drain,
    requeue(call) {
      if (call.phase !== 'queued' || call.place < 0) return
      queue.remove(call)
      queue.push(call)
      drain()
    },
    policies: hooks.all,
    emit,
  }

  const self: Bucket = {
    key,
    opensAt: () => gate.opensAt,
    enter(call) {
      calls++
      emit({ type: call.isBypass ? 'bypass' : 'enqueue', call: call.arrival })
      flush()
      try {
        hooks.admit(call)
        dropIfTooLong(call, call.since)
        // A function of the user's may have disposed of the fetch meanwhile.
        if (host.disposedWith()) fail(call, host.disposedWith())
      } catch (error) {
        fail(call, error)
      }
    },
    take(call) {
      if (call.isOver) throw call.reason
      const now = time.now()
      if (!call.isBypass) {
        const first = queue.peek()
        if (first && first !== call && !isBefore(call, first)) return false
        if (readyAt(now, call) > now) return false
      }
      dequeue(call)
      inFlight++
      call.phase = 'in-flight'
      call.sequence = ++host.newest
      call.sentAt = now
      call.attempts++
      if (!call.isBypass) {
        if (gate.window === 1)
          emit({ type: 'gate-probe', call: call.arrival, early: gate.opensAt < serverOpensAt })
        gate.sent(call)
        ask('sent', call, now)
      }
      emit({ type: 'dispatch', call: call.arrival, attempt: call.attempts })
      drain()
      return true
    },
    turn: (call, waitMs = 0) =>
      new Promise((resolve, reject) => {
        if (call.isOver) return reject(call.reason)
        const { maxQueue, overflow } = host.options
        const now = time.now()
        call.interrupt = reject
        call.wake = () => {
          if (call.phase === 'queued') return resolve()
          enqueue(call, time.now())
          drain()
        }
        if (waitMs > 0) sleep(call, now + waitMs)
        else if (call.place < 0) enqueue(call, now)
        if (call.attempts > 0 || queue.size() <= maxQueue) return drain()
        const isFirst = (a: Call, b: Call): boolean =>
          overflow === 'drop-lowest' && a.rank !== b.rank ? a.rank > b.rank : a.arrival < b.arrival
        const dropped = queue.all().reduce((a, b) => (isFirst(b, a) ? b : a))
        drop(overflow === 'reject-new' ? call : dropped, 'queue-full', now)
      }),
    read: (response, wallMs) => ask('read', response, wallMs),
    refused(call, { waitMs: serverMs = 0, source = 'none' }) {
      const { options } = host
      if (gate.isNew(call.sequence)) drawn = [draw(options), draw(options)]
      const ownMs = backoffMs(gate.throttlesBefore(call.sequence), 'throttle', options, drawn[0])
      const spread = jitterMs(serverMs, drawn[1])
      const waitMs = Math.max(serverMs, ownMs) + spread
      const by = serverMs < ownMs && source !== 'none' ? 'backoff' : source
      emit({ type: 'throttled', call: call.arrival, ms: waitMs, source: by })
      close(waitMs, by, call, spread, true)
      return [Math.max(waitMs, gate.opensAt - time.now()), spread]
    },
    conclude(call, outcome, charged) {
      const { options } = host
      const { shouldRetry } = options
      const { kind, response, error, waitMs: serverMs, source = 'backoff', readings = [] } = outcome
      const { arrival, attempts, signal } = call
      const now = time.now()
      const status = response?.status ?? 0
      const isThrottle = kind === 'throttled'
      inFlight--
      call.endedAt = now
      if (response) {
        const event: EventDetail = {
          type: 'response',
          call: arrival,
          attempt: attempts,
          status,
          retryAfterMs: serverMs,
        }
        emit(Object.assign({}, event, ...readings.map((reading) => reading?.detail)) as EventDetail)
      } else if (!call.isOver)
        emit(
          kind === 'aborted' && signal?.aborted
            ? { type: 'abort', call: arrival, phase: 'in-flight' }
            : { type: 'error', call: arrival, attempt: attempts, error },
        )

      let waitMs = 0
      let spread = 0
      if (isThrottle) [waitMs, spread] = charged.refused(call, outcome)
      if (call.isBypass) gate.ended(call)
      else if (kind === 'passed' || kind === 'failed')
        gate.passed(call, queue.size() > 0, options.concurrency)
      else if (gate.ended(call) && kind === 'lost')
        // The next probe waits as after a refusal.
        close(
          backoffMs(gate.throttlesBefore(call.sequence), 'throttle', options, draw(options)),
          'backoff',
          call,
        )
      ask('ended', call, outcome, now)
      if (charged !== self) charged.drain()

      const isFailure =
        kind === 'lost' || (options.statuses.includes(status) && (status !== 413 || serverMs !== undefined))
      const isRetryable = isThrottle || isFailure
      if (kind === 'aborted' || call.isOver || !(isRetryable || (shouldRetry && status >= 400)))
        return undefined
      // It came back although it was aborted.
      if (signal?.aborted) {
        fail(call, signal.reason, true)
        return undefined
      }
      if (!isThrottle) {
        spread = jitterMs(serverMs ?? 0, draw(options))
        waitMs = Math.max(serverMs ?? 0, backoffMs(attempts - 1, 'failure', options, draw(options))) + spread
      }
      const plan = { waitMs, spreadMs: spread, isRetryable }
      const isAtGate = isThrottle && charged === self && gate.opensAt > now
      const follow = (advice: RetryDecision): number | undefined => {
        const delayMs = decide(call, outcome, plan, advice, {
          ask,
          now: time.now(),
          options,
          isDisposed: !!host.disposedWith(),
        })
        if (typeof delayMs === 'string') {
          emit({ type: 'give-up', call: arrival, reason: delayMs })
          return undefined
        }
        const reason = isThrottle ? 'throttle' : 'failure'
        emit({ type: 'retry', call: arrival, attempt: call.attempts + 1, delayMs, reason })
        return isAtGate && delayMs === waitMs ? 0 : delayMs
      }
      if (!shouldRetry || attempts > options.maxRetries || host.disposedWith()) return follow(undefined)
      const advice = shouldRetry({
        attempt: attempts,
        request: call.source.request(),
        response,
        error,
        delayMs: waitMs,
        signal: { waitMs: serverMs, source },
      })
      if (typeof advice !== 'object' || !('then' in advice)) return follow(advice)
      // It sleeps until that is decided.
      sleep(call, Infinity)
      drain()
      return advice.then((decided) => {
        sleepers.remove(call)
        return call.isOver ? undefined : follow(decided)
      })
    },
    leave(call, response) {
      call.isOver = true
      dequeue(call)
      if (--calls === 0) idleSince = call.endedAt
      ask('left', call, response)
      call.source.discard()
      drain()
    },
    fail: (call, error) => fail(call, error),
    drain,
    update() {
      hooks.update(host.options.policies, context)
      // Others may order the queue.
      const waiting = queue.all()
      for (const call of waiting) queue.remove(call)
      for (const call of waiting) queue.push(call)
      drain()
    },
    setPaused(paused) {
      isPaused = paused
      drain()
    },
    reset() {
      gate.reset(host.newest)
      ask('reset')
      drain()
    },
    dispose(reason) {
      for (const call of [...queue.all(), ...sleepers.all()]) fail(call, reason)
      ask('dispose')
      drain()
    },
    isIdle(idleMs) {
      const now = time.now()
      const isUnused = calls === 0 && !isPaused && Math.max(gate.opensAt, idleSince + idleMs) <= now
      return isUnused && !ask('isIdle', now).includes(false)
    },
    snapshot() {
      const opensAt = isPaused ? Infinity : gate.opensAt
      const open = opensAt <= time.now()
      if (shown && !isDirty && shown.gate.open === open) return shown
      isDirty = false
      const until = open || isPaused ? undefined : time.toClock(opensAt)
      const source = open ? undefined : isPaused ? 'manual' : closedBy
      const old = shown?.gate
      const isKept = old?.open === open && old.until === until && old.source === source
      const gateShown: GateSnapshot = {
        open,
        until,
        source,
        get remainingMs() {
          return Math.max(opensAt - time.now(), 0)
        },
      }
      const next: BucketSnapshot = {
        queued: queue.size(),
        inFlight,
        sleeping: sleepers.size(),
        window: gate.window,
        gate: isKept ? old : Object.freeze(gateShown),
      }
      for (const members of ask('snapshot')) Object.assign(next, members)
      return (shown =
        shown && shown.inFlight === inFlight && isSame(shown, next) ? shown : Object.freeze(next))
    },
  }
  self.update()
  return self
}

/** Calls back so many continuations later, in the same task. */
async function afterContinuations(count: number, callback: () => void): Promise<void> {
  while (count-- > 0) await Promise.resolve()
  callback()
}

/** Whether two snapshots have the same members. */
function isSame<Shape extends object>(a: Shape, b: Shape): boolean {
  for (const name in a) if (!Object.is(a[name], b[name])) return false
  for (const name in b) if (!(name in a)) return false
  return true
}
