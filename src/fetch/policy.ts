import { report } from '../core/shared/report.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Call, Outcome } from './kernel/call.ts'
import type { EventLog, GiveUpReason, WaitSource } from './events.ts'
import type { KernelOptions } from './options.ts'

/** What a policy knows of its bucket and can do to it. A bucket holds the calls that share one limit, usually one origin. */
export interface BucketContext {
  readonly key: string
  readonly clock: Clock
  /** The options in force; `configure` replaces them. */
  readonly options: KernelOptions
  /** The instant in ms: `clock.now()`, plus the time that the machine has slept. */
  now: () => number
  /** Calls in the queue. */
  size: () => number
  /** The earliest instant at which the call may be sent, as known now; Infinity: unknown. */
  readyAt: (call: Call) => number
  /** Requests without a response yet. */
  inFlight: () => number
  /** Opens the gate without a probe, once its cooldown is over: the refusal was no sign of a limit. */
  skipProbe: () => void
  /** Closes the gate for `waitMs` from now, at most `maxGateMs`. It is not a refusal: `closed` is called without a call. */
  close: (waitMs: number, source: WaitSource, call?: Call) => void
  /** Call it when `readyAt` or `snapshot` would return something else. */
  changed: () => void
  /** Call it when `before` would put `call` in another place. */
  requeue: (call: Call) => void
  /** All policies of this bucket, for one that works together with others. */
  policies: () => readonly PolicyHooks[]
  /** Adds an event, which `changed` reports. */
  emit: EventLog['emit']
}

/** What a response says about the server's limits. */
export interface Reading {
  /** Ms to wait before the next request. Used where `Retry-After` names none. */
  readonly waitMs?: number | undefined
  readonly source?: WaitSource | undefined
  /** Members of the `response` event. */
  readonly detail?: object | undefined
}

/** One policy in one bucket. Instants are those of `BucketContext.now()`. What a member throws is reported, but for `admit` and `before`. */
export interface PolicyHooks {
  /**
   * Whether `sent`, `read`, `ended` and `closed` are also called for requests of other clients that share the server's limit, by a
   * policy such as `shareBetweenTabs`. @default false
   */
  countsOthers?: boolean | undefined
  /** Called with each new call. If it throws, the call rejects with that and is not queued. */
  admit?: ((call: Call) => void) | undefined
  /** Called if the queue is full with a new call. True keeps all its calls: one of them can be sent at once. */
  overflow?: ((call: Call) => boolean) | undefined
  /** The earliest instant at which the call may be sent; Infinity: not until `changed` is called. The latest of all policies counts. */
  readyAt?: ((now: number, call: Call) => number) | undefined
  /** Whether `a` is sent before `b`; undefined: the next policy decides, or else their arrival. Must not change while they wait. */
  before?: ((a: Call, b: Call) => boolean | undefined) | undefined
  /** Called when an attempt is sent. */
  sent?: ((call: Call, now: number) => void) | undefined
  /** Reads what a response says about limits, but for a 304 and an opaque one. The first wait of all policies counts. */
  read?: ((response: Response, wallMs: number) => Reading | undefined) | undefined
  /** Called when an attempt has ended, after it has closed the gate, if it does. */
  ended?: ((call: Call, outcome: Outcome, now: number) => void) | undefined
  /** Called when the gate has closed. `call` is the one whose refusal is a new event; undefined if there is none. */
  closed?: ((until: number, call: Call | undefined) => void) | undefined
  /** Ms until the next attempt, if longer than `waitMs`. Infinity: until `call.wake()`, and the failed attempt does not count. */
  delay?: ((call: Call, outcome: Outcome, waitMs: number) => number | undefined) | undefined
  /** Why the call may not be sent again. The first reason counts. */
  veto?: ((call: Call, outcome: Outcome, waitMs: number) => GiveUpReason | undefined) | undefined
  /** Called when the call is over. It resolves with `response`. */
  left?: ((call: Call, response: Response | undefined) => void) | undefined
  /** Forgets what was learnt of the server. */
  reset?: (() => void) | undefined
  /** Whether the state of this policy may be forgotten with an idle bucket. @default true */
  isIdle?: ((now: number) => boolean) | undefined
  /** Removes timers and listeners: the bucket is forgotten. */
  dispose?: (() => void) | undefined
  /** Members of the bucket's snapshot. The same objects as long as nothing changed. */
  snapshot?: (() => object) | undefined
}

/** An extension of the rate-limited fetch. Called once for each bucket. */
export type Policy = (bucket: BucketContext) => PolicyHooks

type HookName = Exclude<keyof PolicyHooks, 'countsOthers'>

/** The policies of one bucket. */
export interface Hooks {
  all: () => readonly PolicyHooks[]
  /** Calls this hook of each policy. What one throws is reported, and its result is undefined. */
  ask: <Name extends HookName>(
    name: Name,
    ...args: Parameters<NonNullable<PolicyHooks[Name]>>
  ) => (ReturnType<NonNullable<PolicyHooks[Name]>> | undefined)[]
  admit: (call: Call) => void
  /** By the first policy that decides, or else by arrival. */
  isBefore: (a: Call, b: Call) => boolean
  /** Starts these, keeps those in use, and disposes of the others. */
  use: (policies: readonly Policy[]) => void
}

export function createHooks(context: BucketContext): Hooks {
  let inUse: readonly Policy[] = []
  let all: readonly PolicyHooks[] = []
  /** Those that have a hook of that name. */
  let having: Partial<Record<HookName, readonly PolicyHooks[]>> = {}

  const those = (name: HookName): readonly PolicyHooks[] =>
    (having[name] ??= all.filter((hooks) => hooks[name]))

  return {
    all: () => all,
    ask(name, ...args) {
      type Hook = (...given: typeof args) => ReturnType<NonNullable<PolicyHooks[typeof name]>>
      const results: (ReturnType<Hook> | undefined)[] = []
      for (const hooks of those(name) as Record<typeof name, Hook>[])
        try {
          results.push(hooks[name](...args))
        } catch (error) {
          report(error)
        }
      return results
    },
    admit(call) {
      // A callback may give it up.
      for (const hooks of those('admit')) if (!call.isOver) hooks.admit!(call)
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
