import { safely } from '../../core/shared/report.ts'
import type { Bucket, Host } from './bucket.ts'
import type { Call, ChargedOutcome, Outcome } from './call.ts'
import type { GiveUpReason } from '../events.ts'
import type { KernelOptions, RetryDecision } from '../options.ts'

/** A wait in ms, and how much of it is added jitter. */
export type Wait = readonly [waitMs: number, jitterMs: number]

/** Tolerance for sums of instants, which are not exact. */
export const ROUNDING_MS = 1

/** Returns `get()` if that is a number from 0 to `most`, else `otherwise`. Errors are reported. */
function numberOf(get: () => number | undefined, most: number, otherwise: number): number {
  const value = safely(get)!
  return value >= 0 && value <= most ? value : otherwise
}

/** Returns two random numbers from 0 to 1, one for the backoff and one for the jitter, whatever `random` returns. */
export const randomsOf = ({ random }: KernelOptions): [number, number] => [
  numberOf(random, 1, 0.5),
  numberOf(random, 1, 0.5),
]

/**
 * Returns the wait before a retry: the longer of the server's wait and the backoff. `times` is 0 for the first retry in a row. After
 * a failure the backoff is 0 to min(30 s, 500 ms · 2^times) (full jitter); after a refusal it is half to all of
 * min(30 s, 1 s · 2^times) (equal jitter). Up to a tenth is added to a server's wait, so that its clients do not all return at once.
 */
export function waitBefore(
  times: number,
  isThrottle: boolean,
  options: KernelOptions,
  serverMs = 0,
  [backoffPart, jitterPart]: readonly [number, number] = randomsOf(options),
): Wait {
  const most = Math.min(30_000, (isThrottle ? 1000 : 500) * 2 ** times)
  const ownMs = numberOf(
    () => options.backoff?.(times, isThrottle ? 'throttle' : 'failure'),
    Number.MAX_VALUE,
    isThrottle ? (most + backoffPart * most) / 2 : backoffPart * most,
  )
  const jitterMs = jitterPart * Math.min(serverMs / 10, 5000)
  return [Math.max(serverMs, ownMs) + jitterMs, jitterMs]
}

/** Whether this outcome is retried by default, if the method allows it. */
function isRetryable({ kind, response, waitMs }: Outcome, { statuses }: KernelOptions): boolean {
  if (!response) return kind === 'lost'
  const { status } = response
  return kind === 'throttled' || (statuses.includes(status) && (status !== 413 || waitMs !== undefined))
}

/** Whether a retry is considered at all. */
export const mayRetry = (outcome: Outcome, options: KernelOptions): unknown =>
  isRetryable(outcome, options) || (options.shouldRetry && (outcome.response?.status as number) >= 400)

/**
 * Whether this request is retried by default: always if its method is idempotent (RFC 9110 §9.2.2). Others only after a refusal,
 * because the server has not acted on the request then, and if the request or the options allow it.
 */
function mayRepeat({ source }: Call, outcome: Outcome, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent } = options
  if (!isRetryable(outcome, options)) return false
  if (methods.includes(source.method)) return true
  return (
    outcome.kind === 'throttled' &&
    (source.hasIdempotencyKey ||
      (typeof retryNonIdempotent === 'function'
        ? retryNonIdempotent(source.request(), outcome.response!)
        : retryNonIdempotent))
  )
}

/** Whether the request can be sent again unchanged. */
const isReplayable = (call: Call): boolean =>
  !call.isBypass && !call.source.isStream && !call.source.own?.bodyUsed

/** Whether this is the last attempt. Then the body need not be copied. */
export function isLastAttempt(call: Call, options: KernelOptions): boolean {
  const { methods, retryNonIdempotent, shouldRetry } = options
  const { method, hasIdempotencyKey } = call.source
  const mayFollow = methods.includes(method) || hasIdempotencyKey || retryNonIdempotent || shouldRetry
  return !mayFollow || (call.attempts > call.maxRetries && !call.keepsBody) || !isReplayable(call)
}

/** Decides whether to retry the call. If so, puts it into the queue or to sleep. */
export async function isSentAgain(
  call: Call,
  outcome: ChargedOutcome,
  gateWait: Wait | false,
  bucket: Bucket,
  host: Host,
): Promise<boolean> {
  const { options, time } = host
  const { ask, emit, gate } = bucket
  const { shouldRetry } = options
  const { kind, response, error, waitMs: serverMs, source = 'backoff', charged } = outcome
  const {
    attempts: attempt,
    maxRetries,
    source: { request },
  } = call
  const isThrottle = kind === 'throttled'
  const [waitMs, jitter] = gateWait || waitBefore(attempt - 1, isThrottle, options, serverMs)
  let advice: Exclude<RetryDecision, null>
  let delayMs = waitMs
  let heldMs = 0
  if (shouldRetry && attempt <= maxRetries && !host.over) {
    const signal = { waitMs: serverMs, source }
    const advised = shouldRetry({ attempt, request: request(), response, error, delayMs, signal })
    call.phase = 'sleeping'
    bucket.drain()
    // Null as undefined.
    advice = (await advised) ?? undefined
  }
  const now = time.now()
  let why: GiveUpReason | undefined
  if (host.over) why = 'attempts'
  else if (advice === false) why = 'hook'
  else if (advice === undefined && !mayRepeat(call, outcome, options)) why = 'method'
  else if (!isReplayable(call)) why = 'body'
  else if (!call.isOver) {
    if (typeof advice === 'object') {
      // Advice never shortens the server's wait.
      delayMs = serverMs === undefined ? 0 : serverMs + jitter
      if (advice.delayMs > delayMs) ({ delayMs } = advice)
    }
    for (const ms of ask('delay', call, outcome, delayMs)) if (ms! > heldMs) heldMs = ms!
    delayMs = Math.max(delayMs, heldMs)
    if (heldMs === Infinity) call.attempts--
    else if (attempt > maxRetries) why = 'attempts'
    else if (Math.max(delayMs - jitter, gate.opensAt - gate.jitterMs - now) > call.maxWaitMs + ROUNDING_MS)
      why = 'wait'
    else if (Math.max(now + delayMs, gate.opensAt) - call.since > call.totalTimeoutMs) why = 'deadline'
    else why = ask('veto', call, outcome, delayMs).find(Boolean)
  }
  // A callback may have given the call up, or an abort during `shouldRetry`.
  if (call.isOver) return false
  if (why) emit('give-up', call, { reason: why })
  else {
    emit('retry', call, { attempt: call.attempts + 1, delayMs, reason: isThrottle ? 'throttle' : 'failure' })
    const isAtGate = gateWait && isThrottle && charged === bucket && delayMs === waitMs && gate.opensAt > now
    bucket.sleep(call, isAtGate ? now : now + delayMs)
  }
  return !why
}
