import type { HeapItem } from '../core/heap.ts'
import type { CallPhase, GiveUpReason, WaitSource } from './events.ts'
import type { CallOptions } from './options.ts'
import type { RequestSource } from './request-source.ts'
import type { BucketSnapshot } from './snapshot-types.ts'
import type { Verdict } from './verdict.ts'

/** One call of the paced fetch, from its arrival until it is settled. */
export interface Call extends HeapItem {
  readonly source: RequestSource
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  /** Calls are numbered as they come. A call that is retried keeps its number, and so its place. R66 */
  readonly arrival: number
  /** Its place in `PRIORITIES`. */
  rank: number
  readonly options: CallOptions
  /** Past queue and gate. */
  isBypass: boolean
  /** When it came. */
  since: number
  attempts: number
  phase: CallPhase
  /** It is settled, or about to be. */
  isOver: boolean
  /** Whether an attempt is out whose outcome has not been reported to gate, breaker and budget. */
  isOut: boolean
  /** When a sleeping call is to be queued again. */
  wakesAt: number
  /** The number of the last attempt among all requests. */
  sequence: number
  sentAt: number
  /** What it has paid of the retry budget. */
  paid: number
  /** And what it is to pay for the attempt to come. */
  owed: number
  /** What a breaker has let it go with, and waits for. */
  admission: { readonly ticket: unknown } | undefined
  /** The buckets it goes through: its own, and those above it. */
  buckets: Bucket[]
  /** What the attempt in flight was aborted with, for it took too long. */
  timeout: unknown
  resolve: (response: Response) => void
  reject: (reason: unknown) => void
  /** Aborts the attempt in flight, if that can be done without the caller's signal. */
  abortAttempt: ((reason: unknown) => void) | undefined
  /** What ends when it is first sent. */
  departs: (() => void) | undefined
  /** What ends with the call: listeners, timers. */
  release: (() => void)[]
}

/**
 * What has become of an attempt: answered; answered with an error of the server; not answered; or nothing that says
 * anything, as an abort, a throttle (which the gate is told of) or an opaque response.
 */
export type AttemptOutcome = 'success' | 'failed' | 'lost' | 'neutral'

/** How long a gate is to be closed, in ms from now; of it, `spreadMs` only so that not all come at once. */
export interface Closing {
  readonly waitMs: number
  readonly spreadMs: number
}

/** The calls that count against one limit, as a rule those to one origin: their queue, gate, pace and retries. */
export interface Bucket {
  readonly key: string
  /** A call begins that goes through it, be it its own or that of a bucket below: until it ends, the bucket is not idle. */
  enter: () => void
  leave: () => void
  /** Takes a call in: sends it at once if it may go, else queues or refuses it. */
  accept: (call: Call) => void
  /** The arrival of the call whose turn is next; Infinity if nobody waits. */
  nextArrival: () => number
  /** The instant its gate opens at; Infinity while paused by hand. */
  opensAt: () => number
  /** When the gate lets one more go; if nobody can tell yet, `waiter` is told when that has changed. */
  gateAt: (waiter: Bucket) => number
  throttlesBefore: (call: Call) => number
  /** What is random about a throttle, the same for all refusals that are one event. */
  drawn: (call: Call) => () => number
  /** A request goes through the gate, be it a call of this bucket or of one below it. */
  passes: (call: Call) => void
  /** An attempt is over. If the probe was lost, the next one is not before `nextMs`. */
  returned: (call: Call, outcome: AttemptOutcome, nextMs?: () => number) => void
  /** The same, for the gate alone. */
  answered: (call: Call, outcome: AttemptOutcome, nextMs?: () => number) => void
  close: (call: Call, closing: Closing, source: WaitSource) => void
  /** Another tab has closed the gate until then. */
  delay: (until: number) => void
  /** Takes in what a response says of its limits. */
  learn: (call: Call, verdict: Verdict) => void
  /** Why budget or breaker let the call not go again; if they do, it is paid for. */
  whyNot: (call: Call, verdict: Verdict | undefined) => GiveUpReason | undefined
  /** Sends the call again after so long: 0 is when the gate lets it, Infinity when the page is online. */
  again: (call: Call, waitMs: number) => void
  /** Settles the call; `response` is what it resolves with. */
  end: (call: Call, outcome: () => void, response?: Response) => void
  /** Goes first, within its priority. */
  promote: (call: Call, rank: number) => void
  setPaused: (paused: boolean) => void
  /** Forgets what the server said: the gate is open and the pace full. */
  reset: () => void
  /** The settings have changed, somebody began to watch, or time has passed. */
  update: (isOnline?: boolean) => void
  /** Rejects whoever waits. */
  dispose: (reason: unknown) => void
  /** Since when nothing waits, is in flight or is closed; Infinity if something is. */
  idleSince: () => number
  snapshot: () => BucketSnapshot
}
