import type { CallPhase, WaitSource } from '../events.ts'
import {
  checkOptions,
  type CallOptions,
  type KernelOptions,
  type Priority,
  type RateLimitedRequestInit,
} from '../options.ts'
import type { Reading } from '../policy.ts'
import type { RequestSource } from './request.ts'

/** One call of the rate-limited fetch, from its arrival until it is settled. */
export interface Call {
  readonly source: RequestSource
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  /** Calls are numbered as they come. A call that is retried keeps its number, and so its place. */
  readonly arrival: number
  /** The instant at which it came. */
  readonly since: number
  /** `init.rateLimit`. */
  readonly options: CallOptions
  /** Options of the call, or else of the fetch. */
  readonly maxWaitMs: number
  readonly totalTimeoutMs: number
  /** Past queue and gate. */
  readonly isBypass: boolean
  /** From 0, the most urgent. Only the overflow and the `priorities` policy look at it. @default 1 */
  rank: number
  /** It has waited for its turn, and is no more refused because the queue is full. */
  isAccepted: boolean
  /** Attempts that were sent. */
  attempts: number
  /** The number of the last attempt among all requests. */
  sequence: number
  /** The instant of the last attempt. */
  sentAt: number
  phase: CallPhase
  /** When a sleeping call queues again. */
  wakesAt: number
  /** It was given up; and what for. */
  isOver: boolean
  reason: unknown
  /** Gives the call up at once, in whatever phase: it rejects with `reason`. */
  fail: (reason: unknown) => void
  /** Ends its wait in the queue or between two attempts. */
  wake: () => void
  /** Rejects the call. */
  readonly reject: (reason: unknown) => void
  /** Ends what the call waits for. */
  interrupt: (reason: unknown) => void
}

/** What has become of an attempt. */
export interface Outcome {
  /**
   * `passed`: the server took it, whatever it thinks of it; `failed`: it returned an error (5xx); `throttled`: it
   * refused it for a limit; `lost`: a network error or a timeout; `aborted`: by its caller, which says nothing of the
   * server; `opaque`: a response that may not be looked at.
   */
  readonly kind: 'passed' | 'failed' | 'throttled' | 'lost' | 'aborted' | 'opaque'
  readonly response?: Response | undefined
  readonly error?: unknown
  /** Ms that the server asks to wait; undefined if it does not say. */
  readonly waitMs?: number | undefined
  /** What said so. */
  readonly source?: WaitSource | undefined
  /** What each policy has read of the response. */
  readonly readings?: readonly (Reading | undefined)[] | undefined
}

const nothing = (): void => undefined

/** @throws RangeError for an option of the call that is out of range. */
export function createCall(
  source: RequestSource,
  init: RateLimitedRequestInit | undefined,
  arrival: number,
  since: number,
  settings: KernelOptions,
  reject: (reason: unknown) => void,
): Call {
  const given = init?.rateLimit || {}
  const { maxWaitMs = settings.maxWaitMs, totalTimeoutMs = settings.totalTimeoutMs, priority } = given
  if (init?.rateLimit) checkOptions({ maxWaitMs, totalTimeoutMs })
  // What is missing is set on the way.
  return {
    source,
    signal: source.signal,
    arrival,
    since,
    // Platforms ignore a priority that is none.
    options: { ...given, priority: priority ?? (/^(high|low)$/.exec(init?.priority ?? '')?.[0] as Priority) },
    maxWaitMs,
    totalTimeoutMs,
    isBypass: init?.rateLimit === false || source.isKeepalive,
    rank: 1,
    isAccepted: false,
    attempts: 0,
    sequence: 0,
    phase: 'queued',
    isOver: false,
    reject,
    wake: nothing,
    interrupt: nothing,
  } as Partial<Call> as Call
}
