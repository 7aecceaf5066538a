import type { Outcome } from '../../../src/fetch/call.ts'
import type { WaitSource } from '../../../src/fetch/events.ts'
import type { Policy, PolicyHooks, Reading } from '../../../src/fetch/policy.ts'
import type { BucketSnapshot } from '../../../src/fetch/snapshot.ts'
import { createFakeBucket, type FakeBucket } from './fake-bucket.ts'

export interface Answer {
  headers?: Record<string, string>
  status?: number
  /** The number of the request. @default one above the last */
  sequence?: number
  /** When it was sent. @default now */
  sentAt?: number
  source?: WaitSource
}

export interface LimitsPlay {
  bucket: FakeBucket
  hooks: PolicyHooks
  /** How the policy closed the gate. */
  closings: [waitMs: number, source: WaitSource][]
  /** A request that the policy did not see sent is answered now. */
  answer: (answer?: Answer) => Reading | undefined
  /** Sends so many at `at`; returns when each could go. */
  schedule: (count: number) => number[]
  snapshot: () => Partial<BucketSnapshot>
}

/** A policy that follows limits, with the requests and responses of the test. */
export function playLimits(policy: Policy): LimitsPlay {
  const closings: LimitsPlay['closings'] = []
  let hooks: PolicyHooks = {}
  const bucket = createFakeBucket((context) => {
    const close = (waitMs: number, source: WaitSource): void => void closings.push([waitMs, source])
    return (hooks = policy(Object.create(context, { close: { value: close } }) as typeof context))
  })
  bucket.state.options = { maxGateMs: 600_000 }
  const { clock } = bucket
  let newest = 0

  return {
    bucket,
    hooks,
    closings,
    answer({ headers = {}, status = 200, sequence = newest + 1, sentAt = clock.now(), source } = {}) {
      newest = Math.max(newest, sequence)
      const response = new Response(null, { status, headers })
      const reading = hooks.read!(response, clock.wall())
      const kind: Outcome['kind'] = status === 429 ? 'throttled' : status >= 500 ? 'failed' : 'passed'
      const call = bucket.call({}, { sequence, sentAt, isBypass: true })
      hooks.ended!(call, { kind, response, source, readings: [reading] }, clock.now())
      return reading
    },
    schedule: (count) =>
      Array.from({ length: count }, () => {
        const at = hooks.readyAt!(clock.now(), bucket.call())
        clock.advance(at - clock.now())
        hooks.sent!(bucket.call({}, { sequence: ++newest }), at)
        return at
      }),
    snapshot: () => hooks.snapshot!(),
  }
}
