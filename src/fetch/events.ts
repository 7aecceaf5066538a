import type { RetryReason } from './backoff.ts'

/** What decided how long a wait is. R153 */
export type WaitSource = 'retry-after:delay' | 'retry-after:date' | 'backoff'

/** In which part of its life a call was aborted. */
export type CallPhase = 'queued' | 'sleeping' | 'in-flight'

/** What happened. `at` and `until` are instants of the clock in ms; `call` numbers the calls in their order. */
export type FetchEvent = { readonly key: string; readonly at: number } & (
  | { readonly type: 'enqueue'; readonly call: number }
  | { readonly type: 'dispatch'; readonly call: number; readonly attempt: number }
  | { readonly type: 'response'; readonly call: number; readonly attempt: number; readonly status: number }
  | { readonly type: 'error'; readonly call: number; readonly attempt: number; readonly error: unknown }
  | { readonly type: 'throttled'; readonly call: number; readonly ms: number; readonly source: WaitSource }
  | { readonly type: 'gate-closed'; readonly until: number; readonly ms: number; readonly source: WaitSource }
  | {
      readonly type: 'gate-extended'
      readonly until: number
      readonly ms: number
      readonly source: WaitSource
    }
  | { readonly type: 'gate-probe'; readonly call: number; readonly early: boolean }
  | { readonly type: 'gate-opened' }
  | {
      readonly type: 'retry'
      readonly call: number
      readonly attempt: number
      readonly delayMs: number
      readonly reason: RetryReason
    }
  | { readonly type: 'give-up'; readonly call: number; readonly reason: GiveUpReason }
  | {
      readonly type: 'drop'
      readonly call: number
      readonly reason: 'wait-too-long' | 'queue-full' | 'disposed'
    }
  | { readonly type: 'abort'; readonly call: number; readonly phase: CallPhase }
)

/** Why a failed request is not sent again. */
export type GiveUpReason = 'attempts' | 'method' | 'body' | 'wait'

/** An event without what every event has. */
export type EventDetail = FetchEvent extends infer Event
  ? Event extends FetchEvent
    ? Omit<Event, 'key' | 'at'>
    : never
  : never
