import { safely } from '../core/shared/report.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Call, Outcome } from './kernel/call.ts'
import type { GiveUpReason, WaitSource } from './events.ts'
import type { KernelOptions } from './options.ts'

/** What a policy may ask of its bucket, and do to it. A bucket holds the calls that share one limit, as a rule one origin. */
export interface BucketContext {
  readonly key: string
  readonly clock: Clock
  /** The options in force; `configure` replaces them. */
  readonly options: KernelOptions
  /** The clock's instant in ms, ahead of `clock.now()` by what the machine has slept. */
  now: () => number
  /** Calls in the queue, those of `others` included. */
  size: () => number
  /** The earliest instant at which the call may be sent, as far as is known; Infinity: nobody can tell. */
  readyAt: (call: Call) => number
  /** Requests without a response yet, `others` included. */
  inFlight: () => number
  /** What other clients that share the server's limit have in the queue and in flight. Set by a policy that knows of them. */
  readonly others: { size: number; inFlight: number }
  /**
   * Holds the bucket to `width` requests in flight until the server has shown that it takes more. While the gate is closed: in
   * place of a probe, after a refusal that says nothing of a limit.
   */
  startWindow: (width: number) => void
  /** Closes the gate for `waitMs` from now, at most `maxGateMs`. No refusal: `closed` is called without a call. */
  close: (waitMs: number, source: WaitSource, call?: Call) => void
  /** What `readyAt`, `before` or `snapshot` returns may have changed. */
  changed: () => void
  /** The place of `call` in the queue has changed: `before` puts it elsewhere. */
  requeue: (call: Call) => void
  /** All policies at work in this bucket, for one that works together with others. */
  policies: () => readonly PolicyHooks[]
}

/** What a response says of the server's limits. */
export interface Reading {
  /** Ms that it asks to wait before the next request, where `Retry-After` does not say so. */
  readonly waitMs?: number | undefined
  readonly source?: WaitSource | undefined
  /** Goes into the `response` event. */
  readonly detail?: object | undefined
}

/** One policy at work in one bucket. Instants are in ms of `context.now()`. What a member throws is reported; not so for `admit` and `before`. */
export interface PolicyHooks {
  /**
   * Whether `sent`, `ended` and `closed` may also be called for requests of other clients that share the server's limit, by a
   * policy that knows of them. @default false
   */
  countsOthers?: boolean
  /** A call has come. What this throws, the call rejects with: it neither queues nor counts. */
  admit?: (call: Call) => void
  /** The earliest instant at which the call may be sent; Infinity: not before `changed`. Of several policies the latest counts. */
  readyAt?: (now: number, call: Call) => number
  /** Whether `a` goes before `b`; undefined leaves it to the next policy, and then to their arrival. Must not change while they wait. */
  before?: (a: Call, b: Call) => boolean | undefined
  /** An attempt is sent. */
  sent?: (call: Call, now: number) => void
  /** What a response says of limits. Asked of each but a 304 and an opaque one. The first wait counts. */
  read?: (response: Response, wallMs: number) => Reading | undefined
  /** An attempt has ended. Called after the gate was closed, if it was. */
  ended?: (call: Call, outcome: Outcome, now: number) => void
  /** The gate has closed until then; `call` is the one whose refusal is a new event, and undefined if there is none. */
  closed?: (until: number, call: Call | undefined) => void
  /** Ms until the next attempt, if longer than `waitMs`. Infinity: until `call.wake()`, and the attempt does not count. */
  delay?: (call: Call, outcome: Outcome, waitMs: number) => number | undefined
  /** Why the call may not be sent again. The first reason counts. */
  veto?: (call: Call, outcome: Outcome, waitMs: number) => GiveUpReason | undefined
  /** The call is over; `response` is what it resolves with. */
  left?: (call: Call, response: Response | undefined) => void
  /** Forgets what the server has said. */
  reset?: () => void
  /** Whether an idle bucket may be forgotten, as far as this policy is concerned. @default true */
  isIdle?: (now: number) => boolean
  /** The bucket is given up. Lets go of timers and listeners. */
  dispose?: () => void
  /** Members of the bucket's snapshot. The same objects as long as nothing changed. */
  snapshot?: () => object
}

/** An extension of the rate-limited fetch: called once for each bucket. */
export type Policy = (bucket: BucketContext) => PolicyHooks

type HookName = Exclude<keyof PolicyHooks, 'countsOthers'>

/** The policies at work in one bucket. */
export interface Hooks {
  all: () => readonly PolicyHooks[]
  /** Asks each policy that has this hook. What one throws is reported, and says nothing. */
  ask: <Name extends HookName>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ) => (ReturnType<NonNullable<PolicyHooks[Name]>> | undefined)[]
  admit: (call: Call) => void
  /** The first policy that has an opinion decides, else their arrival. */
  isBefore: (a: Call, b: Call) => boolean
  /** Puts these to work, and lets go of others. */
  use: (policies: readonly Policy[]) => void
}

export function createHooks(context: BucketContext): Hooks {
  let inUse: readonly Policy[] = []
  let all: readonly PolicyHooks[] = []
  /** Those that have a member of that name. */
  let having: Partial<Record<HookName, readonly PolicyHooks[]>> = {}

  const those = (name: HookName): readonly PolicyHooks[] =>
    (having[name] ??= all.filter((hooks) => hooks[name]))

  return {
    all: () => all,
    ask(name, ...args) {
      type Hook = (...given: typeof args) => ReturnType<NonNullable<PolicyHooks[typeof name]>>
      return (those(name) as Record<typeof name, Hook>[]).map((hooks) => safely(() => hooks[name](...args)))
    },
    admit(call) {
      for (const hooks of those('admit')) hooks.admit!(call)
    },
    isBefore(a, b) {
      for (const hooks of those('before')) {
        const is = hooks.before!(a, b)
        if (is !== undefined) return is
      }
      return a.arrival < b.arrival
    },
    use(policies) {
      const old = all
      all = policies.map((policy) => old[inUse.indexOf(policy)] ?? policy(context))
      inUse = policies
      having = {}
      for (const hooks of old) if (!all.includes(hooks)) hooks.dispose?.()
    },
  }
}
