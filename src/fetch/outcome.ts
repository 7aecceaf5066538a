import { backoffMs, type RetryReason } from './backoff.ts'
import { discard, settleCall, type Call } from './call.ts'
import { createThrottledError } from './errors.ts'
import type { EventDetail, GiveUpReason, WaitSource } from './events.ts'
import type { Settings } from './options.ts'
import { retryWait, whyNotAgain } from './retry.ts'
import { judge, type Verdict } from './verdict.ts'

/** What the outcome of an attempt may do to the call's bucket. */
export interface OutcomeEffects {
  readonly settings: Settings
  /** The bucket's key. */
  readonly bucket: string
  emit: (detail: EventDetail) => void
  /** Closes the gate that the call went through. Answers for how long it is closed now. */
  close: (call: Call, waitMs: number, source: WaitSource) => number
  /** Whether a window this wide, at reopening, needs no limit any more. */
  endsRamp: (window: number) => boolean
  again: (call: Call, waitMs: number, reason: RetryReason) => void
}

/** The attempt has been answered. */
export function onResponse(call: Call, response: Response, effects: OutcomeEffects): void {
  const { arrival, attempts, gate, ticket } = call
  try {
    effects.emit({ type: 'response', call: arrival, attempt: attempts, status: response.status })
    const verdict = judge(response, effects.settings)
    if (verdict.isThrottled) return onThrottle(call, response, verdict, effects)
    // R10: of an opaque response nothing is known, so that it earns no credit.
    if (response.status === 0) gate!.failed(ticket, () => gate!.opensAt)
    else gate!.passed(ticket, effects.endsRamp)
    const answer = (): void => call.resolve(response)
    if (!verdict.isRetryable) return settleCall(call, answer)
    const { waitMs } = retryWait(effects.settings, 'failure', attempts - 1, verdict.serverWaitMs)
    follow(call, whyNotAgain(call, effects.settings, waitMs), waitMs, 'failure', effects, answer, response)
  } catch (error) {
    // Only a function of the user's throws here, or one that answered no response. It costs its own call; the gate
    // is not left waiting for it.
    gate!.failed(ticket, () => gate!.opensAt)
    settleCall(call, () => call.reject(error))
  }
}

function onThrottle(call: Call, response: Response, verdict: Verdict, effects: OutcomeEffects): void {
  const { settings, bucket } = effects
  const times = call.gate!.throttlesBefore(call.ticket)
  const { waitMs, isOwn } = retryWait(settings, 'throttle', times, verdict.serverWaitMs)
  const source = isOwn ? 'backoff' : verdict.source
  const closedMs = Math.max(waitMs, effects.close(call, waitMs, source))
  const giveUp = (): void => {
    const details = { response, source, attempts: call.attempts, bucket }
    if (settings.throwOnThrottle) call.reject(createThrottledError(closedMs, details))
    else call.resolve(response)
  }
  follow(
    call,
    whyNotAgain(call, settings, closedMs, response),
    closedMs,
    'throttle',
    effects,
    giveUp,
    response,
  )
}

/** The attempt has failed: no response came. */
export function onError(call: Call, error: unknown, effects: OutcomeEffects): void {
  const { settings, emit } = effects
  const { arrival, attempts, gate, ticket } = call
  // R64: after a lost probe the next one waits as after a throttle.
  const now = settings.clock.now()
  const until = gate!.failed(
    ticket,
    () => now + backoffMs(gate!.throttlesBefore(ticket), 'throttle', settings),
  )
  if (until !== undefined) emit({ type: 'gate-closed', until, ms: until - now, source: 'backoff' })
  const giveUp = (): void => call.reject(error)
  if (call.signal?.aborted) {
    emit({ type: 'abort', call: arrival, phase: 'in-flight' })
    return settleCall(call, giveUp)
  }
  emit({ type: 'error', call: arrival, attempt: attempts, error })
  // A fetch that fails rejects with a TypeError. Anything else is not of the network.
  if (!(error instanceof TypeError)) return settleCall(call, giveUp)
  const { waitMs } = retryWait(settings, 'failure', attempts - 1)
  follow(call, whyNotAgain(call, settings, waitMs), waitMs, 'failure', effects, giveUp)
}

/** Sends the call again, in place of `response`, or else gives it up. */
function follow(
  call: Call,
  whyNot: GiveUpReason | undefined,
  waitMs: number,
  reason: RetryReason,
  { emit, again }: OutcomeEffects,
  giveUp: () => void,
  response?: Response,
): void {
  const { arrival, attempts, signal } = call
  if (whyNot !== undefined) {
    emit({ type: 'give-up', call: arrival, reason: whyNot })
    return settleCall(call, giveUp)
  }
  if (response) discard(response)
  if (signal?.aborted) {
    // It came back although it was aborted.
    emit({ type: 'abort', call: arrival, phase: 'in-flight' })
    return settleCall(call, () => call.reject(signal.reason))
  }
  emit({ type: 'retry', call: arrival, attempt: attempts + 1, delayMs: waitMs, reason })
  again(call, waitMs, reason)
}
