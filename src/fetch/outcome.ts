import { discard } from './attempt.ts'
import { backoffMs } from './backoff.ts'
import type { Bucket, Call } from './bucket-types.ts'
import type { BucketHost } from './bucket-host.ts'
import { decide, type Failure } from './decide.ts'
import { createThrottledError } from './errors.ts'
import { isOffline } from './page.ts'
import { isReplayable, mayRepeat, planRetry } from './retry.ts'
import { judge, type Verdict } from './verdict.ts'

/** An attempt of a call of `bucket` has been answered. */
export function onResponse(call: Call, response: Response, bucket: Bucket, host: BucketHost): void {
  const { settings } = host
  const { attempts } = call
  const { status } = response
  const verdict = judge(response, settings)
  tellOf(call, status, verdict, bucket, host)
  if (verdict.isThrottled) return onThrottle(call, response, verdict, bucket, host)
  // R10: of an opaque response nothing is known, so that it earns no credit.
  bucket.returned(call, status === 0 ? 'neutral' : status >= 500 ? 'failed' : 'success')
  // R32: what a 304 says is of the response that it stands for.
  if (status !== 304 && verdict.reading.source) host.chargedFor(call, response).learn(call, verdict)
  const giveUp = (): void => bucket.end(call, () => call.resolve(response), response)
  if (!verdict.isRetryable && !(settings.shouldRetry && status >= 400)) return giveUp()
  const plan = planRetry(settings, 'failure', attempts - 1, verdict.waitMs)
  const isAllowed = verdict.isRetryable && mayRepeat(call, settings)
  follow(call, { plan, isAllowed, verdict, response, giveUp }, bucket, host)
}

function tellOf(
  call: Call,
  status: number,
  { waitMs, reading }: Verdict,
  bucket: Bucket,
  host: BucketHost,
): void {
  const { limits, policies, source } = reading
  host.tell?.(bucket.key, {
    type: 'response',
    call: call.arrival,
    attempt: call.attempts,
    status,
    retryAfterMs: waitMs,
    ...(source && { limits, policies }),
  })
}

function onThrottle(
  call: Call,
  response: Response,
  verdict: Verdict,
  bucket: Bucket,
  host: BucketHost,
): void {
  const { settings, time } = host
  const charged = host.chargedFor(call, response)
  // R53
  const isAlone = settings.headerless === 'request' && verdict.waitMs === undefined
  const random = charged.drawn(call)
  const plan = planRetry({ ...settings, random }, 'throttle', charged.throttlesBefore(call), verdict.waitMs)
  const source = plan.isOwn && verdict.source !== 'none' ? 'backoff' : verdict.source
  host.tell?.(bucket.key, { type: 'throttled', call: call.arrival, ms: plan.waitMs, source })
  if (!isAlone) charged.close(call, plan, source)
  bucket.returned(call, 'neutral')
  // R34: what is left of other limits holds after the wait.
  charged.learn(call, verdict)
  if (charged !== bucket) charged.update()
  const waitMs = Math.max(plan.waitMs, isAlone ? 0 : charged.opensAt() - time.now())
  const failure: Failure = {
    plan: { ...plan, waitMs },
    isAllowed: mayRepeat(call, settings, response),
    verdict,
    response,
    // After a reset the gate is open, and the call waits alone.
    isAtGate: !isAlone && call.buckets.includes(charged) && charged.opensAt() > time.now(),
    giveUp() {
      const details = { response, source, attempts: call.attempts, bucket: charged.key }
      const error = settings.throwOnThrottle && createThrottledError(waitMs, details)
      bucket.end(call, () => (error ? call.reject(error) : call.resolve(response)), response)
    },
  }
  follow(call, failure, bucket, host)
}

/** The attempt has failed: no response came. */
export function onError(call: Call, error: unknown, bucket: Bucket, host: BucketHost): void {
  const { settings } = host
  const { arrival, attempts } = call
  // A fetch that fails rejects with a TypeError. Anything else is not of the network.
  const isOfNetwork = !call.signal?.aborted && (error instanceof TypeError || error === call.timeout)
  // R64: after a lost probe the next one waits as after a throttle.
  const nextMs = (): number => backoffMs(bucket.throttlesBefore(call), 'throttle', settings)
  bucket.returned(call, isOfNetwork ? 'lost' : 'neutral', nextMs)
  const giveUp = (): void => bucket.end(call, () => call.reject(error))
  if (call.signal?.aborted) {
    host.tell?.(bucket.key, { type: 'abort', call: arrival, phase: 'in-flight' })
    return giveUp()
  }
  host.tell?.(bucket.key, { type: 'error', call: arrival, attempt: attempts, error })
  if (!isOfNetwork) return giveUp()
  const isAllowed = mayRepeat(call, settings)
  const mayWait = settings.offline === 'wait' && isAllowed && isReplayable(call, settings)
  if (mayWait && isOffline() && !host.disposal.aborted) {
    // R123: that costs no attempt, and lasts until the browser is online.
    call.attempts--
    bucket.again(call, Infinity)
    return host.tell?.(bucket.key, {
      type: 'retry',
      call: arrival,
      attempt: attempts,
      delayMs: Infinity,
      reason: 'failure',
    })
  }
  follow(call, { plan: planRetry(settings, 'failure', attempts - 1), isAllowed, error, giveUp }, bucket, host)
}

/** Sends the call again, in place of its response, or else gives it up. */
function follow(call: Call, failure: Failure, bucket: Bucket, host: BucketHost): void {
  const { arrival, attempts, signal } = call
  const { response, giveUp, isAtGate } = failure
  const plan = decide(call, failure, bucket, host)
  if (typeof plan === 'string') {
    host.tell?.(bucket.key, { type: 'give-up', call: arrival, reason: plan })
    return giveUp()
  }
  if (response) discard(response)
  if (signal?.aborted) {
    // It came back although it was aborted.
    host.tell?.(bucket.key, { type: 'abort', call: arrival, phase: 'in-flight' })
    return bucket.end(call, () => call.reject(signal.reason))
  }
  const { waitMs: delayMs, reason } = plan
  // A throttled call waits in its place, for the gate that it closed; another one by itself.
  bucket.again(call, isAtGate && plan.waitMs === failure.plan.waitMs ? 0 : delayMs)
  // Last, for who hears of it may abort the call.
  host.tell?.(bucket.key, { type: 'retry', call: arrival, attempt: attempts + 1, delayMs, reason })
}
