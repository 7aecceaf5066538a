import { attempt } from './attempt.ts'
import type { BucketParts } from './bucket-parts.ts'
import type { Call } from './bucket-types.ts'
import { onError, onResponse } from './outcome.ts'

/** Sends the call, and sees to what becomes of it. */
export function send(parts: BucketParts, call: Call, now: number): void {
  const { key, host, flow, self } = parts
  call.departs?.()
  call.departs = undefined
  call.phase = 'in-flight'
  call.isOut = true
  call.sequence = host.traffic.departs()
  call.sentAt = now
  call.attempts++
  parts.inFlight++
  if (!call.isBypass) {
    flow.sent(now)
    for (const bucket of call.buckets) bucket.passes(call)
  }
  host.tell?.(key, { type: 'dispatch', call: call.arrival, attempt: call.attempts })
  attempt(call, host).then(
    (response) => conclude(parts, call, () => onResponse(call, response, self, host)),
    (error: unknown) => conclude(parts, call, () => onError(call, error, self, host)),
  )
}

function conclude(parts: BucketParts, call: Call, outcome: () => void): void {
  parts.inFlight--
  parts.host.traffic.returns()
  // What a listener calls meanwhile waits for the verdict: the gate may be about to close.
  parts.isJudging = true
  try {
    outcome()
  } catch (error) {
    // Only a function of the user's throws here, or a fetch that answered no response. It costs its own call.
    parts.self.returned(call, 'neutral')
    parts.self.end(call, () => call.reject(error))
  }
  parts.isJudging = false
  parts.host.traffic.takeTurns()
  parts.pump(true)
  for (const bucket of call.buckets) if (bucket !== parts.self) bucket.update()
}
