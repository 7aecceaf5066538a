import type { CallOptions } from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import type { Call, Outcome } from '../../../src/fetch/call.ts'
import type { KernelOptions } from '../../../src/fetch/options.ts'
import type { BucketContext, Policy, PolicyHooks } from '../../../src/fetch/policy.ts'

export interface FakeBucket {
  clock: ManualClock
  /** Each member is there, and does nothing where the policy has none. */
  hooks: Required<PolicyHooks>
  /** Set by the test. */
  state: { size: number; inFlight: number; readyAt: number; options: Partial<KernelOptions>; key: string }
  /** How often each was asked for. */
  counts: { changed: number; requeue: number }
  /** A call that comes now and is admitted. What it was failed or woken with is in `log`. */
  call: (options?: CallOptions, members?: Partial<Call>) => Call & { log: unknown[] }
}

/** A policy at work in a bucket that the test plays. */
export function createFakeBucket(policy: Policy): FakeBucket {
  const clock = createManualClock()
  const counts = { changed: 0, requeue: 0 }
  const state: FakeBucket['state'] = { size: 0, inFlight: 0, readyAt: 0, options: {}, key: 'https://a.test' }
  const context: BucketContext = {
    get key() {
      return state.key
    },
    clock,
    get options() {
      return state.options as KernelOptions
    },
    now: clock.now,
    size: () => state.size,
    readyAt: () => state.readyAt,
    inFlight: () => state.inFlight,
    others: { size: 0, inFlight: 0 },
    startWindow: () => undefined,
    close: () => undefined,
    changed: () => counts.changed++,
    requeue: () => counts.requeue++,
    policies: () => [hooks],
  }
  const nothing = (): undefined => undefined
  const hooks: Required<PolicyHooks> = {
    countsOthers: false,
    admit: nothing,
    readyAt: (now) => now,
    before: nothing,
    sent: nothing,
    read: nothing,
    ended: nothing,
    closed: nothing,
    delay: nothing,
    veto: nothing,
    left: nothing,
    reset: nothing,
    isIdle: () => true,
    dispose: nothing,
    snapshot: () => ({}),
    ...policy(context),
  }
  let arrivals = 0

  return {
    clock,
    hooks,
    state,
    counts,
    call(options = {}, members = {}) {
      const log: unknown[] = []
      const call = {
        source: undefined as never,
        signal: undefined,
        arrival: ++arrivals,
        since: clock.now(),
        options,
        maxWaitMs: Infinity,
        totalTimeoutMs: Infinity,
        isBypass: false,
        rank: 1,
        attempts: 0,
        sequence: 0,
        sentAt: 0,
        phase: 'queued' as const,
        wakesAt: 0,
        isOver: false,
        reason: undefined,
        interrupt: nothing,
        place: -1,
        fail: (reason: unknown) => void log.push(reason),
        wake: () => void log.push('woken'),
        log,
        ...members,
      } as unknown as Call & { log: unknown[] }
      hooks.admit(call)
      return call
    },
  }
}

export const outcome = (kind: Outcome['kind'], waitMs?: number): Outcome => ({ kind, waitMs })
