import type { RateLimitErrorCode } from '../core/shared/errors.ts'
import type { RetryReason } from './options.ts'

/** What a wait is based on. */
export type WaitSource =
  | 'retry-after-ms'
  | 'retry-after:delay'
  | 'retry-after:date'
  | 'ratelimit'
  | 'ratelimit-legacy'
  | 'x-ratelimit'
  | 'backoff'
  | 'manual'
  | 'shared'
  | 'none'

/** The state of a call. */
export type CallPhase = 'queued' | 'sleeping' | 'in-flight'

/** Why a failed request is not retried. A policy of your own may give another reason. */
export type GiveUpReason =
  | 'attempts'
  | 'budget'
  | 'wait'
  | 'deadline'
  | 'method'
  | 'body'
  | 'hook'
  | 'circuit-open'
  | (string & {})

/** Why a call was given up: the code of its `RateLimitError`, or `policy` for another error. */
export type DropReason = RateLimitErrorCode | 'policy'

/** The members of each event besides `key` and `at`. */
export interface EventDetails {
  /** A new call. */
  enqueue: { call: number }
  /** A new call that bypasses queue and gate. */
  bypass: { call: number }
  dispatch: { call: number; attempt: number }
  /** `retryAfterMs` is read for any status. Policies add what they have read. */
  response: { call: number; attempt: number; status: number; retryAfterMs?: number | undefined }
  error: { call: number; attempt: number; error: unknown }
  throttled: { call: number; ms: number; source: WaitSource }
  'gate-closed': { until: number; ms: number; source: WaitSource }
  'gate-extended': { until: number; ms: number; source: WaitSource }
  'gate-probe': { call: number; early: boolean }
  'gate-opened': object
  retry: { call: number; attempt: number; delayMs: number; reason: RetryReason }
  'give-up': { call: number; reason: GiveUpReason }
  drop: { call: number; reason: DropReason }
  abort: { call: number; phase: CallPhase }
  /** Of `shareBetweenTabs`: a message or stored value that is malformed, or an error of the platform. */
  ignored: { from: 'channel' | 'storage'; value: unknown }
}

/** An event. `at` and `until` are instants of the clock in ms. `call` numbers the calls in order of arrival. */
export type FetchEvent = {
  [Type in keyof EventDetails]: { readonly type: Type; readonly key: string; readonly at: number } & Readonly<
    EventDetails[Type]
  >
}[keyof EventDetails]
