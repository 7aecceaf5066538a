import { createAlarm } from '../core/alarm.ts'
import { RateLimitError } from '../core/errors.ts'
import type { BucketHost } from './bucket-host.ts'
import { sendCall, settleCall, type Call } from './call.ts'
import type { EventDetail } from './events.ts'
import { createGate } from './gate.ts'
import { limitsOf, type Limits } from './options.ts'
import { onError, onResponse, type OutcomeEffects } from './outcome.ts'
import { createPace } from './pace.ts'
import { isLastAttempt } from './retry.ts'
import { snapshotOf, type BucketSnapshot } from './snapshot.ts'
import { createWaitingLine } from './waiting-line.ts'

/** The calls that count against one limit, as a rule those to one origin: their queue, gate, pace and retries. */
export interface Bucket {
  /** Takes a call in: sends it at once if it may go, else queues or refuses it. */
  accept: (call: Call) => void
  /** Stops sending, or goes on. */
  setPaused: (paused: boolean) => void
  /** Forgets what the server said: the gate is open and the pace full. */
  reset: () => void
  /** The settings have changed, or somebody began to watch. */
  update: () => void
  /** Rejects whoever waits. */
  dispose: (reason: unknown) => void
  /** Nothing waits, nothing is in flight and nothing is remembered: it may be thrown away. */
  isIdle: () => boolean
  snapshot: () => BucketSnapshot
}

/** How long a gate that has opened, with nobody there to go through it, is remembered for its ramp. */
const RAMP_KEPT_MS = 60_000

export function createBucket(key: string, host: BucketHost): Bucket {
  const { clock } = host.settings
  const limits = (): Limits => limitsOf(host.settings)
  const line = createWaitingLine()
  const alarm = createAlarm(clock, pump)
  let gate = createGate(() => host.settings.resume)
  let pace = createPace(limits(), clock.now())
  let inFlight = 0
  let isPaused = false
  let isShut = false // The gate has closed, and its opening has not been told yet.
  let serverOpensAt = -Infinity // When the server would have it open; that may be later.
  let lastSnapshot: BucketSnapshot | undefined

  const emit = (detail: EventDetail): void => host.emit(key, detail)

  /** The earliest instant at which the next request may go; Infinity: not before something else happens. */
  function nextAt(now: number): number {
    if (isPaused || inFlight >= limits().concurrency || !gate.hasRoom()) return Infinity
    return Math.max(gate.opensAt, pace.readyAt(now))
  }

  /** Sends all that may go now, and sets the alarm for the rest. */
  function pump(): void {
    const { maxWaitMs } = host.settings
    const now = clock.now()
    line.wake(now)
    const closedMs = gate.opensAt - now
    if (isShut && closedMs <= 0) emit({ type: 'gate-opened' })
    isShut = closedMs > 0
    while (closedMs > maxWaitMs && line.queued > 0) refuse(line.next()!, 'wait-too-long', closedMs)
    while (line.queued > 0 && nextAt(now) <= now) send(line.next()!, now)
    const turnAt = line.queued > 0 ? nextAt(now) : Infinity
    const shownAt = isShut && host.isWatched() ? gate.opensAt : Infinity
    const wakeAt = Math.min(line.wakesAt, turnAt, shownAt)
    if (wakeAt < Infinity) alarm.set(wakeAt)
    else alarm.clear()
    host.changed()
  }

  function accept(call: Call): void {
    const { maxWaitMs, maxQueue, overflow } = host.settings
    const now = clock.now()
    const closedMs = gate.opensAt - now
    if (closedMs > maxWaitMs) return refuse(call, 'wait-too-long', closedMs)
    emit({ type: 'enqueue', call: call.arrival })
    // A listener of events may have aborted it, or called in its turn.
    if (call.signal?.aborted) return onAbort(call)
    const abort = (): void => onAbort(call)
    call.signal?.addEventListener('abort', abort, { once: true })
    call.stopListening = () => call.signal?.removeEventListener('abort', abort)
    if (line.queued === 0 && nextAt(now) <= now) send(call, now)
    else if (line.queued < maxQueue) line.enqueue(call)
    else {
      const dropped = overflow === 'drop-oldest' ? (line.next() ?? call) : call
      if (dropped !== call) line.enqueue(call)
      refuse(dropped, 'queue-full', Math.max(nextAt(now) - now, 0))
    }
    pump()
  }

  function send(call: Call, now: number): void {
    const isProbe = gate.window === 1
    pace.take(now)
    inFlight++
    call.phase = 'in-flight'
    call.gate = gate
    call.ticket = gate.sent()
    if (isProbe) emit({ type: 'gate-probe', call: call.arrival, early: gate.opensAt < serverOpensAt })
    emit({ type: 'dispatch', call: call.arrival, attempt: call.attempts + 1 })
    sendCall(call, host.send, isLastAttempt(call, host.settings)).then(
      (response) => conclude(() => onResponse(call, response, effects)),
      (error: unknown) => conclude(() => onError(call, error, effects)),
    )
  }

  function conclude(outcome: () => void): void {
    inFlight--
    outcome()
    pump()
  }

  const effects: OutcomeEffects = {
    get settings() {
      return host.settings
    },
    bucket: key,
    emit,
    close(call, waitMs, source) {
      const { maxGateMs } = host.settings
      const now = clock.now()
      emit({ type: 'throttled', call: call.arrival, ms: waitMs, source })
      // After a reset, the answers to what was sent before it say nothing any more.
      if (call.gate !== gate) return 0
      const before = gate.opensAt
      const isNew = gate.close(now + Math.min(waitMs, maxGateMs), call.ticket)
      const until = gate.opensAt
      const ms = until - now
      serverOpensAt = Math.max(serverOpensAt, now + waitMs)
      if (isNew) emit({ type: 'gate-closed', until, ms, source })
      else if (until > before) emit({ type: 'gate-extended', until, ms, source })
      return ms
    },
    endsRamp(window) {
      const { concurrency } = limits()
      return concurrency < Infinity ? window >= concurrency : window > 64 || line.queued === 0
    },
    again(call, waitMs, reason) {
      // A throttled call waits in its place, for the gate that it closed; another one by itself.
      if (reason === 'throttle' && call.gate === gate) line.enqueue(call)
      else line.sleep(call, clock.now() + waitMs)
    },
  }

  function onAbort(call: Call): void {
    const { phase } = call
    // In flight, the signal has reached the fetch, which rejects.
    if (phase === 'in-flight') return
    line.remove(call)
    emit({ type: 'abort', call: call.arrival, phase })
    settleCall(call, () => call.reject(call.signal!.reason))
    pump()
  }

  function refuse(call: Call, code: 'wait-too-long' | 'queue-full', retryAfterMs: number): void {
    emit({ type: 'drop', call: call.arrival, reason: code })
    settleCall(call, () => call.reject(new RateLimitError(code, `Request not sent: ${code}`, retryAfterMs)))
  }

  return {
    accept,
    setPaused(paused) {
      isPaused = paused
      pump()
    },
    reset() {
      gate = createGate(() => host.settings.resume)
      pace = createPace(limits(), clock.now())
      pump()
    },
    update() {
      pace.configure(limits(), clock.now())
      pump()
    },
    dispose(reason) {
      for (const call of line.clear()) {
        emit({ type: 'drop', call: call.arrival, reason: 'disposed' })
        settleCall(call, () => call.reject(reason))
      }
      pump()
    },
    isIdle() {
      const now = clock.now()
      const isBusy = line.queued + line.sleeping + inFlight > 0 || isPaused
      const isOpen = gate.opensAt + (gate.window < Infinity ? RAMP_KEPT_MS : 0) <= now
      return !isBusy && isOpen && pace.level(now) >= limits().burst
    },
    snapshot() {
      const { queued, sleeping } = line
      const opensAt = isPaused ? Infinity : gate.opensAt
      const state = { queued, sleeping, inFlight, opensAt, window: gate.window, limits: limits() }
      const live = { now: clock.now, tokens: () => pace.level(clock.now()) }
      return (lastSnapshot = snapshotOf(state, lastSnapshot, live))
    },
  }
}
