import type { Clock } from '../core/time/clock.ts'
import type { Call, Outcome } from './kernel/call.ts'
import type { EventDetails, GiveUpReason, WaitSource } from './events.ts'
import type { KernelOptions } from './options.ts'

/** The bucket of a policy. A bucket holds the calls that share one limit, usually those to one origin. */
export interface BucketContext {
  readonly key: string
  readonly clock: Clock
  /** The current options; `configure` replaces them. */
  readonly options: KernelOptions
  /** Returns the current instant in ms: `clock.now()` plus the time that the machine was asleep. */
  now: () => number
  /** Returns the number of queued calls. */
  size: () => number
  /** Returns the earliest instant at which the call may be sent, as known now. Infinity means unknown. */
  readyAt: (call: Call) => number
  /** Returns the number of requests in flight. */
  inFlight: () => number
  /** Lets the gate open without a probe after its cooldown, because the refusal was not caused by a limit. */
  skipProbe: () => void
  /** Closes the gate for `waitMs`, at most `maxGateMs`. This is not a refusal: `closed` is called without a call. */
  close: (waitMs: number, source: WaitSource, call?: Call) => void
  /** Call this when the result of `readyAt` or `snapshot` has changed, but not in a hook: it is noticed there. */
  changed: () => void
  /** Call this when `before` would now order `call` differently. */
  requeue: (call: Call) => void
  /** Returns all policies of this bucket, for policies that work together. */
  policies: () => readonly PolicyHooks[]
  /** Adds an event. `changed` reports it. */
  emit: <Type extends keyof EventDetails>(
    type: Type,
    call?: Call,
    details?: Omit<EventDetails[Type], 'call'>,
  ) => void
}

/** What a response says about the server's limits. */
export interface Reading {
  /** Ms to wait before the next request. Used if `Retry-After` names no time. */
  readonly waitMs?: number | undefined
  readonly source?: WaitSource | undefined
  /** Members of the `response` event. */
  readonly detail?: object | undefined
}

/** One policy in one bucket. Instants are of `BucketContext.now()`. Errors are reported, except those of `admit` and `before`. */
export interface PolicyHooks {
  /**
   * Whether a policy such as `shareBetweenTabs` also calls `sent`, `read`, `ended` and `closed` for requests of other clients of
   * the same limit. If the policy has `closed`, the other clients wait for its `readyAt`, too. @default false
   */
  countsOthers?: boolean | undefined
  /** Called with each new call. If it throws, the call rejects with that error and is not queued. */
  admit?: ((call: Call) => void) | undefined
  /** Called when a new call makes the queue too long. True keeps all calls, because one of them can be sent at once. */
  overflow?: ((call: Call) => boolean) | undefined
  /**
   * Returns the earliest instant to send the first call of the queue; those behind it wait, too. Infinity: not before `changed` is
   * called. The latest of all policies is used.
   */
  readyAt?: ((now: number, call: Call) => number) | undefined
  /** Whether `a` is sent before `b`; undefined: the next policy decides, or their arrival. Must not change while they wait. */
  before?: ((a: Call, b: Call) => boolean | undefined) | undefined
  /** Called when an attempt is sent, unless the call bypasses the queue (`call.isBypass`). */
  sent?: ((call: Call, now: number) => void) | undefined
  /**
   * Reads what a response says about limits, but not a 304 or an opaque one. If it is a refusal, the first `waitMs` of all policies
   * is used.
   */
  read?: ((response: Response, wallMs: number) => Reading | undefined) | undefined
  /** Called when an attempt has ended. If it closes the gate, that has happened before. */
  ended?: ((call: Call, outcome: Outcome, now: number) => void) | undefined
  /** Called when the gate has closed. `call` is the refused call if this is a new refusal event. */
  closed?: ((until: number, call: Call | undefined) => void) | undefined
  /** Returns a longer delay in ms before a retry. Infinity: until `call.wake()`, and the failed attempt does not count. */
  delay?: ((call: Call, outcome: Outcome, waitMs: number) => number | undefined) | undefined
  /** Returns a reason not to retry the call. The first reason is used. Not called if a `delay` is Infinity. */
  veto?: ((call: Call, outcome: Outcome, waitMs: number) => GiveUpReason | undefined) | undefined
  /** Called when the call is over. `response` is what it resolves with, if it does. */
  left?: ((call: Call, response: Response | undefined) => void) | undefined
  /** Forgets what was learned about the server. */
  reset?: (() => void) | undefined
  /** Whether an idle bucket may be removed with the state of this policy. @default true */
  isIdle?: ((now: number) => boolean) | undefined
  /** Removes timers and listeners. Called when the bucket or the policy is removed, and by `dispose` of the fetch. */
  dispose?: (() => void) | undefined
  /** Returns members of the bucket's snapshot: the same objects while nothing has changed. */
  snapshot?: (() => object) | undefined
}

/** An extension of the rate-limited fetch. Called once for each bucket. */
export type Policy = (bucket: BucketContext) => PolicyHooks
