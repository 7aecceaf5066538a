import { RateLimitError, type RateLimitErrorCode } from '../core/shared/errors.ts'
import { onAbort } from '../core/shared/abort.ts'
import { safely } from '../core/shared/report.ts'
import { attempt, classify, LONGEST_MS } from './attempt.ts'
import type { AwakeTime } from './awake-time.ts'
import type { Call, Outcome } from './call.ts'
import type { EventDetails, FetchEvent, GiveUpReason, WaitSource } from './events.ts'
import type { KernelOptions, RetryDecision } from './options.ts'
import type { BucketContext, Policy, PolicyHooks } from './policy.ts'
import { draws, isLastAttempt, isReplayable, isRetryable, mayRepeat, waitBefore } from './retry.ts'
import { discard } from './request.ts'
import type { BucketSnapshot } from './snapshot.ts'

/** What the buckets of one fetch share. */
export interface Host {
  options: KernelOptions
  readonly time: AwakeTime
  /** The number of the newest request. */
  newest: number
  /** What calls reject with after it was disposed of. */
  over: DOMException | undefined
  readonly listeners: ReadonlySet<unknown>
  readonly changed: (bucket: Bucket) => void
  readonly send: typeof fetch
  /** The bucket of the origin that a response came from after a redirect; undefined if there was none. */
  readonly redirected: (response: Response, call: Call) => Bucket | undefined
}

type HookName = Exclude<keyof PolicyHooks, 'countsOthers'>

/** The calls that share one limit, as a rule those to one origin: their queue, gate and policies. */
export interface Bucket {
  readonly key: string
  /** One call, from its arrival until it is settled. */
  run: (call: Call) => Promise<Response>
  /** Closes the gate for a refusal. Returns ms that the refused call waits, and how many of them are jitter. */
  refused: (call: Call, outcome: Outcome) => Wait
  /** The instant at which the gate opens. */
  opensAt: () => number
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

type Wait = readonly [waitMs: number, spreadMs: number]

/** A timer that is so early by the clock proves that the clock stands still. */
const EARLY_MS = 2
/** Clocks have fractions: sums of instants are not exact. */
const ROUNDING_MS = 1
/** A window this wide needs no limit any more. */
const WIDEST = 64
/** A request without a response for so long no longer keeps others from being sent. */
const SILENT_MS = 10_000
/** The same as long as the gate has never closed: a slow server is no reason to wait. */
const FIRST_SILENT_MS = 250

export function createBucket(key: string, host: Host): Bucket {
  const { time } = host
  const { clock } = host.options
  const queue: Call[] = []
  const sleepers: Call[] = []
  const events: FetchEvent[] = []
  let calls = 0
  let inFlight = 0
  let idleSince = 0
  let isPaused = false
  let stopTimer: (() => void) | undefined

  // The gate. It closes for a cooldown after a refusal; then comes one probe, after it a window of 2, 4, 8 … requests in
  // flight, until it is fully open. Requests are told apart by their numbers: what becomes of one sent before a closing
  // says nothing of the window after it.
  let opensAt = -Infinity
  let window = Infinity
  /** Without a limit of its own a first window grows up to this; 0 once the gate has closed. */
  let firstMost = 0
  /** In the order of sending. */
  const inWindow = new Set<Call>()
  let passes = 0
  /** Refusals in a row. Those of requests sent before the gate closed are one event. */
  let throttles = 0
  let eventAfter = 0
  let closedAfter = 0
  let resetAfter = 0
  /** One draw for all refusals that are one event. */
  let drawn: readonly [number, number] | undefined
  /** It has closed, and its opening was not reported. */
  let isShut = false
  /** When the server would have it open, which may be later than it does. */
  let serverOpensAt = -Infinity
  /** How much of the cooldown only keeps clients from coming all at once. */
  let spreadMs = 0
  let closedBy: WaitSource | undefined

  let policies: readonly Policy[] = []
  let all: readonly PolicyHooks[] = []
  /** Those that have a member of that name. */
  let having: Partial<Record<HookName, readonly PolicyHooks[]>> = {}

  let isDirty = true
  let shown: BucketSnapshot | undefined
  let gateFacts: unknown[] = []
  let gate: BucketSnapshot['gate']

  /** One call, from its arrival until it is settled. */
  async function run(call: Call): Promise<Response> {
    const { signal, totalTimeoutMs } = call
    const late = (): void =>
      call.fail(new RateLimitError('deadline', `No response within ${totalTimeoutMs} ms`, 0))
    call.fail = (reason) => fail(call, reason)
    const stopListening = signal && onAbort(signal, () => call.fail(signal.reason))
    const stopDeadline = totalTimeoutMs <= LONGEST_MS ? clock.after(totalTimeoutMs, late) : undefined
    let response: Response | undefined
    try {
      enter(call)
      for (;;) {
        while (!take(call)) await turn(call)
        let charged = self
        const { options } = host
        const outcome = await attempt(call, isLastAttempt(call, options), options, host.send, (came) => {
          charged = host.redirected(came, call) ?? self
          // What a server says after a redirect is not of the limits of the one before.
          return classify(came, options, (...args) => (charged === self ? ask('read', ...args) : []))
        })
        const wait = conclude(call, outcome, charged)
        if (!wait || !(await isSentAgain(call, outcome, wait, charged)))
          return (response = settle(call, outcome, charged))
        if (outcome.response) discard(outcome.response)
      }
    } finally {
      stopListening?.()
      stopDeadline?.()
      call.isOver = true
      dequeue(call)
      calls--
      ask('left', call, response)
      if (call.source.own) discard(call.source.own)
      drain()
    }
  }

  /** A call has come, and queues. It is given up if a policy refuses it, or the gate is closed for too long. */
  function enter(call: Call): void {
    calls++
    emit(call.isBypass ? 'bypass' : 'enqueue', call)
    flush()
    try {
      for (const hooks of those('admit')) hooks.admit!(call)
    } catch (error) {
      fail(call, error)
    }
    // A function of the user's may have disposed of the fetch meanwhile.
    if (host.over) fail(call, host.over)
    if (!call.isOver && !call.isBypass) enqueue(call, call.since)
  }

  /** Lets the call be sent now, if it is its turn. Throws the reason if it was given up. */
  function take(call: Call): boolean {
    if (call.isOver) throw call.reason
    const now = time.now()
    if (!call.isBypass) {
      if (queue[0] !== call || readyAt(now, call) > now) return false
      queue.shift()
    }
    inFlight++
    call.phase = 'in-flight'
    call.sequence = ++host.newest
    call.sentAt = now
    call.attempts++
    if (!call.isBypass) {
      if (window < Infinity) inWindow.add(call)
      if (window === 1 && !firstMost) emit('gate-probe', call, { early: opensAt < serverOpensAt })
      ask('sent', call, now)
    }
    emit('dispatch', call, { attempt: call.attempts })
    drain()
    return true
  }

  /** Waits until it may be the call's turn. */
  const turn = (call: Call): Promise<void> =>
    new Promise((resolve, reject) => {
      if (call.isOver) return reject(call.reason)
      const { maxQueue, overflow } = host.options
      call.interrupt = reject
      call.wake = () => {
        if (call.phase !== 'sleeping') return resolve()
        dequeue(call)
        enqueue(call, time.now())
        drain()
      }
      if (call.attempts > 0 || queue.length <= maxQueue) return drain()
      const isLowest = overflow === 'drop-lowest'
      const dropped = queue.reduce((a, b) =>
        ((isLowest && b.rank - a.rank) || a.arrival - b.arrival) > 0 ? b : a,
      )
      drop(overflow === 'reject-new' ? call : dropped, 'queue-full', time.now())
    })

  /** Takes in what has become of an attempt. Returns what another one would wait, if there may be one. */
  function conclude(call: Call, outcome: Outcome, charged: Bucket): Wait | undefined {
    const { options } = host
    const { kind, response, error, waitMs: serverMs, readings = [] } = outcome
    const { attempts: attempt, signal } = call
    const now = time.now()
    const status = response?.status ?? 0
    inFlight--
    idleSince = now
    if (response) {
      const details = { attempt, status, retryAfterMs: serverMs }
      for (const reading of readings) Object.assign(details, reading?.detail)
      emit('response', call, details)
    } else if (!signal?.aborted && !call.isOver) emit('error', call, { attempt, error })

    const wait = kind === 'throttled' ? charged.refused(call, outcome) : undefined
    if (!call.isBypass && (kind === 'passed' || kind === 'failed')) passed(call)
    else if (inWindow.delete(call) && window === 1 && kind === 'lost')
      // The next probe waits as after a refusal.
      close(waitBefore(throttles, true, options)[0], 'backoff', call)
    ask('ended', call, outcome, now)
    if (charged !== self) charged.drain()

    const isOpen = isRetryable(outcome, options) || (options.shouldRetry && status >= 400)
    // Also a response that came although its call was aborted.
    if (signal?.aborted && (isOpen || !response)) fail(call, signal.reason)
    return call.isOver || !isOpen ? undefined : (wait ?? waitBefore(attempt - 1, false, options, serverMs))
  }

  /** Decides whether the call is sent again: then it queues or sleeps. */
  async function isSentAgain(
    call: Call,
    outcome: Outcome,
    [waitMs, spread]: Wait,
    charged: Bucket,
  ): Promise<boolean> {
    const { options } = host
    const { shouldRetry, maxRetries } = options
    const { kind, response, error, waitMs: serverMs, source = 'backoff' } = outcome
    const {
      attempts: attempt,
      source: { request },
    } = call
    let advice: RetryDecision
    let delayMs = waitMs
    let heldMs = 0
    if (shouldRetry && attempt <= maxRetries && !host.over) {
      const signal = { waitMs: serverMs, source }
      const advised = shouldRetry({ attempt, request: request(), response, error, delayMs, signal })
      // It sleeps until that is decided.
      sleep(call, Infinity)
      drain()
      advice = await advised
      dequeue(call)
      if (call.isOver) return false
    }
    let why: GiveUpReason | undefined
    if (host.over) why = 'attempts'
    else if (advice === false) why = 'hook'
    else if (advice === undefined && !mayRepeat(call, outcome, options)) why = 'method'
    else if (!isReplayable(call)) why = 'body'
    else {
      if (typeof advice === 'object') {
        // Nothing shortens what the server asks for.
        delayMs = serverMs === undefined ? 0 : serverMs + spread
        if (advice.delayMs > delayMs) ({ delayMs } = advice)
      }
      for (const ms of ask('delay', call, outcome, delayMs)) if (ms! > heldMs) heldMs = ms!
      delayMs = Math.max(delayMs, heldMs)
      if (heldMs === Infinity) call.attempts--
      else if (attempt > maxRetries) why = 'attempts'
      else if (delayMs - spread > call.maxWaitMs + ROUNDING_MS) why = 'wait'
      else if (time.now() - call.since + delayMs > call.totalTimeoutMs) why = 'deadline'
      else why = ask('veto', call, outcome, delayMs).find(Boolean)
    }
    if (why) emit('give-up', call, { reason: why })
    else {
      const now = time.now()
      const isThrottle = kind === 'throttled'
      const reason = isThrottle ? 'throttle' : 'failure'
      emit('retry', call, { attempt: call.attempts + 1, delayMs, reason })
      const isAtGate = isThrottle && charged === self && opensAt > now && delayMs === waitMs
      if (isAtGate || delayMs <= 0) enqueue(call, now)
      else sleep(call, now + delayMs)
    }
    return !why
  }

  /** What the call resolves with, or throws. */
  function settle(call: Call, outcome: Outcome, charged: Bucket): Response {
    const { kind, response, error, source = 'none' } = outcome
    const { attempts } = call
    if (response && call.isOver) discard(response)
    if (!response || call.isOver) throw error ?? call.reason
    if (kind !== 'throttled' || !host.options.throwOnThrottle) return response
    const message = `Status ${response.status} after ${attempts} attempts`
    throw Object.assign(
      new RateLimitError('throttled', message, Math.max(charged.opensAt() - time.now(), 0)),
      { response, source, attempts, bucket: charged.key },
    )
  }

  const those = (name: HookName): readonly PolicyHooks[] =>
    (having[name] ??= all.filter((hooks) => hooks[name]))

  /** Asks each policy that has this hook. What one throws is reported, and says nothing. */
  function ask<Name extends HookName>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ): (ReturnType<NonNullable<PolicyHooks[Name]>> | undefined)[] {
    type Hook = (...given: typeof args) => ReturnType<NonNullable<PolicyHooks[Name]>>
    return (those(name) as Record<Name, Hook>[]).map((hooks) => safely(() => hooks[name](...args)))
  }

  /** Events are reported once the state is as they say, for a listener may do anything. */
  function emit<Type extends keyof EventDetails>(
    type: Type,
    call?: Call,
    details?: Omit<EventDetails[Type], 'call'>,
  ): void {
    if (host.options.onEvent)
      events.push({
        type,
        ...(call && { call: call.arrival }),
        ...details,
        key,
        at: clock.now(),
      } as FetchEvent)
  }

  function flush(): void {
    for (let event: FetchEvent | undefined; (event = events.shift());)
      safely(() => host.options.onEvent?.(event))
  }

  /** The first policy that has an opinion decides, else their arrival. */
  function isBefore(a: Call, b: Call): boolean {
    for (const hooks of those('before')) {
      const is = hooks.before!(a, b)
      if (is !== undefined) return is
    }
    return a.arrival < b.arrival
  }

  function enqueue(call: Call, now: number): void {
    call.phase = 'queued'
    insert(queue, call, isBefore)
    dropIfTooLong(call, now)
  }

  function sleep(call: Call, wakesAt: number): void {
    call.phase = 'sleeping'
    call.wakesAt = wakesAt
    insert(sleepers, call, wakesBefore)
  }

  function dequeue(call: Call): void {
    if (call.phase === 'sleeping') remove(sleepers, call, wakesBefore)
    else remove(queue, call, isBefore)
  }

  /** The earliest instant at which the call may be sent; Infinity: not before something changes. */
  function readyAt(now: number, call: Call): number {
    if (isPaused || inFlight >= host.options.concurrency) return Infinity
    let latest = opensAt
    for (const sent of inWindow) {
      const silentAt = sent.sentAt + (firstMost ? FIRST_SILENT_MS : SILENT_MS)
      if (inWindow.size < window) break
      if (silentAt > now) {
        latest = Math.max(latest, silentAt)
        break
      }
      inWindow.delete(sent)
    }
    for (const at of ask('readyAt', now, call)) if (at! > latest) latest = at!
    return latest
  }

  function drain(): void {
    // Most of the time nobody waits.
    if (isShut || stopTimer || queue[0] || sleepers[0]) schedule(time.now())
    isDirty = true
    host.changed(self)
    flush()
  }

  /** Wakes the call whose turn it is, and sets the timer for the next change. */
  function schedule(now: number): void {
    let at = Infinity
    if (isShut && opensAt <= now) {
      isShut = false
      emit('gate-opened')
    }
    if (isShut && host.listeners.size > 0) at = opensAt
    while (sleepers[0] && sleepers[0].wakesAt <= now) enqueue(sleepers.shift()!, now)
    if (sleepers[0]) at = Math.min(at, sleepers[0].wakesAt)
    const [first] = queue
    if (first) {
      const turnAt = readyAt(now, first)
      if (turnAt <= now) first.wake()
      else at = Math.min(at, turnAt)
    }
    stopTimer?.()
    stopTimer =
      at < Infinity && !host.over
        ? clock.after(Math.min(at - now, LONGEST_MS), () => {
            if (at - now <= LONGEST_MS && at - time.now() >= EARLY_MS) time.reach(at)
            drain()
          })
        : undefined
  }

  /** Gives a call up, in whatever phase. */
  function fail(call: Call, error: unknown): void {
    const { phase, signal } = call
    if (call.isOver) return
    call.isOver = true
    call.reason = error
    dequeue(call)
    if (signal?.aborted && error === signal.reason) emit('abort', call, { phase })
    else {
      const code = error instanceof RateLimitError ? error.code : host.over ? 'disposed' : 'policy'
      emit('drop', call, { reason: code === 'circuit-open' ? 'breaker' : code })
    }
    call.reject(error)
    call.interrupt(error)
    drain()
  }

  function drop(call: Call, code: RateLimitErrorCode, now: number): void {
    const retryAfterMs = Math.max(readyAt(now, call) - now, 0)
    fail(call, new RateLimitError(code, `Request not sent: ${code}`, retryAfterMs))
  }

  function dropIfTooLong(call: Call, now: number): void {
    if (isPaused) return
    if (opensAt - spreadMs - now > call.maxWaitMs + ROUNDING_MS) drop(call, 'wait-too-long', now)
    else if (opensAt - call.since > call.totalTimeoutMs) drop(call, 'deadline', now)
  }

  function setWindow(width: number): void {
    window = width
    passes = 0
    if (width === Infinity) inWindow.clear()
  }

  /** Closes the gate. `call` is the one that was refused or lost, or whose response says that nothing is left. */
  function close(waitMs: number, source: WaitSource, call?: Call, spread = 0, isRefusal = false): void {
    const sequence = call?.sequence ?? Infinity
    if (sequence <= resetAfter) return
    const now = time.now()
    const until = now + Math.min(waitMs, host.options.maxGateMs)
    const isNew = isRefusal && sequence > eventAfter
    const isLater = until > opensAt
    if (isNew) {
      throttles++
      eventAfter = host.newest
    }
    closedAfter = host.newest
    firstMost = 0
    inWindow.clear()
    setWindow(1)
    serverOpensAt = Math.max(serverOpensAt, now + waitMs)
    if (isLater) {
      opensAt = until
      spreadMs = spread
      closedBy = source
    }
    const type = isNew || !(isRefusal || isShut) ? 'gate-closed' : 'gate-extended'
    if (isLater || type === 'gate-closed')
      emit(type, undefined, { until: time.toClock(opensAt), ms: opensAt - now, source: closedBy! })
    isShut = true
    ask('closed', opensAt, isNew ? call : undefined)
    if (isLater) for (const waiting of [...queue]) dropIfTooLong(waiting, now)
  }

  /** The server took a request: the window grows once it was full of such. */
  function passed(call: Call): void {
    if (call.sequence <= closedAfter) return
    const { concurrency } = host.options
    const isBusy = queue.length > 0
    const wasFull = inWindow.size >= window
    inWindow.delete(call)
    throttles = 0
    // A first window that was not full does not show what a wider one would do.
    if (window === Infinity || (firstMost && !wasFull && !isBusy) || ++passes < window) return
    const isWide = concurrency < Infinity ? 2 * window >= concurrency : window >= (firstMost || WIDEST)
    setWindow(isWide || !(firstMost || isBusy) ? Infinity : 2 * window)
  }

  const self: Bucket = {
    key,
    run,
    refused(call, { waitMs: serverMs = 0, source = 'none' }) {
      const isNew = call.sequence > eventAfter
      if (isNew) drawn = draws(host.options)
      const times = Math.max(isNew ? throttles : throttles - 1, 0)
      const [ms, spread] = waitBefore(times, true, host.options, serverMs, drawn)
      const by = ms > serverMs + spread && source !== 'none' ? 'backoff' : source
      emit('throttled', call, { ms, source: by })
      close(ms, by, call, spread, true)
      return [Math.max(ms, opensAt - time.now()), spread]
    },
    opensAt: () => opensAt,
    drain,
    update() {
      const old = all
      const next = host.options.policies
      all = next.map((policy) => old[policies.indexOf(policy)] ?? policy(context))
      policies = next
      having = {}
      for (const hooks of old) if (!all.includes(hooks)) hooks.dispose?.()
      // Others may order the queue.
      queue.sort((a, b) => (isBefore(a, b) ? -1 : 1))
      drain()
    },
    setPaused(paused) {
      isPaused = paused
      drain()
    },
    reset() {
      opensAt = -Infinity
      firstMost = throttles = 0
      eventAfter = closedAfter = resetAfter = host.newest
      setWindow(Infinity)
      ask('reset')
      drain()
    },
    dispose(reason) {
      for (const call of [...queue, ...sleepers]) fail(call, reason)
      ask('dispose')
      drain()
    },
    isIdle(idleMs) {
      const now = time.now()
      const isUnused = calls === 0 && !isPaused && Math.max(opensAt, idleSince + idleMs) <= now
      return isUnused && !ask('isIdle', now).includes(false)
    },
    snapshot() {
      const at = isPaused ? Infinity : opensAt
      const open = at <= time.now()
      if (shown && !isDirty && shown.gate.open === open) return shown
      isDirty = false
      const until = open || isPaused ? undefined : time.toClock(at)
      const source = open ? undefined : isPaused ? 'manual' : closedBy
      const facts = [open, until, source]
      if (!isSame(facts, gateFacts)) {
        gateFacts = facts
        gate = Object.freeze({
          open,
          until,
          source,
          get remainingMs() {
            return Math.max(at - time.now(), 0)
          },
        })
      }
      const next: BucketSnapshot = {
        queued: queue.length,
        inFlight,
        sleeping: sleepers.length,
        gate,
        window: firstMost ? Infinity : window,
        ...(Object.assign({}, ...ask('snapshot')) as object),
      }
      if (!shown || !isSame(Object.values(next), Object.values(shown))) shown = Object.freeze(next)
      return shown
    },
  }

  const others = { size: 0, inFlight: 0 }
  const context: BucketContext = {
    key,
    clock,
    get options() {
      return host.options
    },
    now: time.now,
    size: () => queue.length + others.size,
    readyAt: (call) => readyAt(time.now(), call),
    inFlight: () => inFlight + others.inFlight,
    others,
    policies: () => all,
    startWindow(width) {
      // Three times full without a refusal: what there is of a limit is wide.
      firstMost = 4 * width
      setWindow(width)
    },
    close(waitMs, source, call) {
      if (waitMs > 0) close(waitMs, source, call)
      drain()
    },
    changed: drain,
    requeue(call) {
      if (!remove(queue, call, isBefore)) return
      insert(queue, call, isBefore)
      drain()
    },
  }
  self.update()
  return self
}

const wakesBefore = (a: Call, b: Call): boolean => a.wakesAt < b.wakesAt

/** The place of `call` in a list of this order, or where it belongs. O(log n). */
function placeIn(list: readonly Call[], call: Call, isBefore: (a: Call, b: Call) => boolean): number {
  let from = 0
  for (let to = list.length; from < to;) {
    const middle = (from + to) >> 1
    if (isBefore(list[middle]!, call)) from = middle + 1
    else to = middle
  }
  return from
}

function insert(list: Call[], call: Call, isBefore: (a: Call, b: Call) => boolean): void {
  list.splice(placeIn(list, call, isBefore), 0, call)
}

/** Returns whether it was there. */
function remove(list: Call[], call: Call, isBefore: (a: Call, b: Call) => boolean): boolean {
  let place = placeIn(list, call, isBefore)
  // Calls may wake at the same time, and what orders the queue may just have changed.
  if (list[place] !== call) place = list.indexOf(call)
  return place >= 0 && list.splice(place, 1).length > 0
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, index) => Object.is(one, b[index]))
