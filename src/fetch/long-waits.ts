import type { BucketParts } from './bucket-parts.ts'
import type { Call } from './bucket-types.ts'
import { refuseFor } from './end.ts'

/** The instant at which all gates that the call goes through are open, and the server's quota is not used up. */
export const opensAtFor = ({ flow }: BucketParts, { buckets }: Call): number =>
  buckets.reduce((latest, bucket) => Math.max(latest, bucket.opensAt()), flow.quota.opensAt())

/** Why the call is not to wait for gates that open at `until`; undefined if it is. R42, R79, R110 */
export function whyNotWait(
  { host: { settings }, keeper }: BucketParts,
  { since, sequence, options }: Call,
  until: number,
  now: number,
): 'wait-too-long' | 'queue-timeout' | 'deadline' | undefined {
  const { maxWaitMs = settings.maxWaitMs, maxQueueTimeMs = settings.maxQueueTimeMs } = options
  const { totalTimeoutMs = settings.totalTimeoutMs } = options
  if (until === Infinity || until <= now) return undefined
  if (until - keeper.spreadMs - now > maxWaitMs) return 'wait-too-long'
  if (sequence === 0 && until - since > maxQueueTimeMs) return 'queue-timeout'
  return until - since > totalTimeoutMs ? 'deadline' : undefined
}

/** Gates have closed: refuses those in the queue who would wait too long for them. */
export function refuseLongWaits(parts: BucketParts, now: number): void {
  for (const call of parts.line.all()) {
    const until = opensAtFor(parts, call)
    const reason = whyNotWait(parts, call, until, now)
    if (!reason) continue
    parts.line.remove(call)
    refuseFor(parts, call, reason, until - now)
  }
}
