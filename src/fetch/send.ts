import { attempt } from './attempt.ts'
import type { BucketParts } from './bucket-parts.ts'
import type { Call } from './bucket-types.ts'
import { onError, onResponse } from './outcome.ts'

/** Sends the call, and sees to what becomes of it. */
export function send(parts: BucketParts, call: Call, now: number): void {
  const { key, host, flow, keeper, self } = parts
  const isProbe = !call.isBypass && flow.gate.window === 1
  call.departs?.()
  call.departs = undefined
  call.phase = 'in-flight'
  call.sequence = host.traffic.departs()
  call.sentAt = now
  call.attempts++
  parts.inFlight++
  if (!call.isBypass) {
    flow.sent(now)
    for (const bucket of call.buckets) bucket.passes()
  }
  if (isProbe) keeper.probes(call)
  host.tell?.(key, { type: 'dispatch', call: call.arrival, attempt: call.attempts })
  attempt(call, host).then(
    (response) => conclude(parts, call, () => onResponse(call, response, self, host)),
    (error: unknown) => conclude(parts, call, () => onError(call, error, self, host)),
  )
}

function conclude(parts: BucketParts, call: Call, outcome: () => void): void {
  parts.inFlight--
  parts.lastAt = parts.host.time.now()
  parts.host.traffic.returns()
  outcome()
  parts.pump()
  for (const bucket of call.buckets) if (bucket !== parts.self) bucket.update()
}
