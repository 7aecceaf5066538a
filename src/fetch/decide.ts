import type { Bucket, Call } from './bucket-types.ts'
import type { BucketHost } from './bucket-host.ts'
import type { GiveUpReason } from './events.ts'
import { whyNever, type RetryPlan } from './retry.ts'
import type { Verdict } from './verdict.ts'

/** An attempt that did not bring what was wanted, and what might follow. */
export interface Failure {
  readonly plan: RetryPlan
  /** Whether method and status are such that it may be sent again, if nobody says otherwise. */
  readonly isAllowed: boolean
  readonly verdict?: Verdict
  readonly response?: Response
  readonly error?: unknown
  /** Whether it waits for the gate of its bucket, and not by itself. */
  readonly isAtGate?: boolean
  /** Settles the call with what there is. */
  readonly giveUp: () => void
}

/** Why the call is not sent again; or else the plan, as those who were asked have left it. */
export function decide(
  call: Call,
  { plan, isAllowed, verdict, response, error }: Failure,
  bucket: Bucket,
  { settings, time, disposal }: BucketHost,
): RetryPlan | GiveUpReason {
  const never = (): GiveUpReason | undefined =>
    disposal.aborted ? 'attempts' : whyNever(call, settings, plan, time.now() - call.since)
  if (disposal.aborted || call.attempts > settings.maxRetries) return 'attempts'
  const answer = settings.shouldRetry?.({
    attempt: call.attempts,
    request: call.source.request(),
    response,
    error,
    delayMs: plan.waitMs,
    signal: { waitMs: verdict?.waitMs, source: verdict?.source ?? 'backoff' },
  })
  if (answer === false) return 'hook'
  if (answer === undefined && !isAllowed) return 'method'
  // R41: nothing shortens what the server asks for.
  if (typeof answer === 'object') {
    const leastMs = verdict?.waitMs === undefined ? 0 : verdict.waitMs + plan.spreadMs
    plan = { ...plan, waitMs: answer.delayMs > leastMs ? answer.delayMs : leastMs }
  }
  return never() ?? bucket.whyNot(call, verdict) ?? plan
}
