import { check } from '../shared/check.ts'
import { adviseOnRule } from '../shared/develop.ts'
import { safely } from '../shared/report.ts'
import { notifyAll, type Observable } from '../shared/store.ts'
import { systemTimers, type Timers } from '../time/clock.ts'
import { exactWait, type Rule, type RuleChanges } from './rules/rule.ts'

/** The decision on one request. */
export interface Decision {
  allowed: boolean
  /** Ms after which the same cost is allowed, if nothing else takes before. 0: now; Infinity: never. */
  retryAfterMs: number
  /** What is left, as a whole number of at least 0. */
  remaining: number
}

/** Emitted for each refusal, except by `peek`. */
export interface DeniedEvent {
  type: 'denied'
  cost: number
  /** The instant of the request, by the clock. */
  at: number
}

export interface LimiterOptions {
  /** The source of time. @default systemClock */
  clock?: Timers | undefined
  /** Called with each refusal, synchronously. Errors it throws are reported. To log only some of them, see `sampled`. */
  onEvent?: ((event: DeniedEvent) => void) | undefined
}

/** The state of a limit. The same object while nothing but the level has changed. */
export interface LimiterSnapshot {
  /** Events per second in the long run. */
  readonly ratePerSecond: number
  /** Maximum cost at once. */
  readonly burst: number
  /** `remaining()`, computed when read. */
  readonly level: number
  /** The number of requests that were allowed, booked or waited for, regardless of their cost. */
  readonly allowed: number
  readonly denied: number
  readonly isBypassed: boolean
}

/**
 * One limit. Every `cost` is at least 0 (default 1). Every `at` is a finite instant of the clock (default: now), for callers that
 * have already read the clock. When the clock steps back, nothing is refilled at that moment, and time goes on from there.
 *
 * @throws TypeError from each method for a cost or an instant that is not a number, RangeError for one out of range or NaN.
 */
export interface Limiter<Changes = RuleChanges> extends Observable<LimiterSnapshot> {
  /** The source of time. */
  readonly clock: Timers
  /** Returns whether `cost` is allowed, and takes it if so. */
  allow: (cost?: number, at?: number) => boolean
  /** As `allow`, and returns when to try again. */
  decide: (cost?: number, at?: number) => Decision
  /** As `decide`, but takes nothing: `remaining` is what there is now. */
  peek: (cost?: number, at?: number) => Decision
  /** Returns the level, which is fractional. */
  remaining: (at?: number) => number
  /** Changes the limits from `at` on. @throws RangeError for a limit that is out of range or not a number */
  configure: (changes: Changes, at?: number) => void
  /** While it is on, everything is allowed and nothing is taken. For emergencies. */
  bypass: (isOn: boolean) => void
}

/** Members of the snapshot. Only a waiting limiter sets `waiting`. */
interface Counts {
  allowed: number
  denied: number
  isBypassed: boolean
  waiting: number
}

/** Creates a limiter by `rule`. It decides at once and keeps no timer. To wait for a turn, see `createWaitingLimiter`. */
export function createLimiter<Changes = RuleChanges>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
): Limiter<Changes>
/** For a rule that is one of several kinds. */
export function createLimiter(rule: Rule, options?: LimiterOptions): Limiter
export function createLimiter<Changes = RuleChanges>(
  rule: Rule<Changes>,
  options: LimiterOptions = {},
): Limiter<Changes> {
  adviseOnRule('createLimiter', rule, options)
  const { clock = systemTimers, onEvent } = options
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, clock.now())
  const [counts, count, notify, bypass, snapshot, subscribe] = limiterParts(
    onEvent,
    () => rule,
    () => limiter.remaining(),
  )

  const limiter: Limiter<Changes> = {
    clock,
    // For a million calls a second: everything it calls is short enough to be inlined, and nothing is allocated.
    allow(cost = 1, at = clock.now()) {
      checkAsk(cost, at)
      let isAllowed = counts.isBypassed
      if (!isAllowed) {
        isAllowed = !rule.waitMs(cells, 0, cost, at)
        // A refusal takes nothing, but sets the limit back if the clock was set back.
        if (isAllowed || at < cells[rule.takenAtCell]!) rule.book(cells, 0, isAllowed ? cost : 0, at)
      }
      count(isAllowed, cost, at)
      return isAllowed
    },
    // A listener to a refusal may make room: it stays a refusal.
    decide: (cost = 1, at = clock.now()) =>
      decisionOf(
        limiter.allow(cost, at) ? 0 : limiter.peek(cost, at).retryAfterMs || 1,
        rule.level(cells, 0, at),
      ),
    peek(cost = 1, at = clock.now()) {
      checkAsk(cost, at)
      return decisionOf(counts.isBypassed ? 0 : exactWait(rule, cells, 0, cost, at), rule.level(cells, 0, at))
    },
    remaining: (at = clock.now()) => rule.level(cells, 0, checkAsk(0, at)),
    configure(changes, at = clock.now()) {
      ;[rule, cells] = rule.reconfigure(changes, cells, checkAsk(0, at))
      notify()
    },
    bypass,
    snapshot,
    subscribe,
  }
  return limiter
}

/** What limiters share. `count` counts a decision for the snapshot, and calls the listeners as `notify` does. */
export function limiterParts(
  onEvent: LimiterOptions['onEvent'],
  rule: () => Pick<Rule, 'ratePerSecond' | 'burst'>,
  level: () => number,
): [
  counts: Counts,
  count: (isAllowed: boolean, cost: number, at: number) => void,
  notify: () => void,
  bypass: Limiter['bypass'],
  snapshot: () => LimiterSnapshot & Counts,
  subscribe: Limiter['subscribe'],
] {
  const listeners = new Set<() => void>()
  const counts = { allowed: 0, denied: 0, isBypassed: false } as Counts
  let shown: (LimiterSnapshot & Counts) | undefined

  // Short enough to be inlined, like everything that `allow` calls.
  const notify = (): void => {
    if (listeners.size) notifyAll(listeners)
  }

  function count(isAllowed: boolean, cost: number, at: number): void {
    shown = undefined
    if (isAllowed) counts.allowed++
    else {
      counts.denied++
      if (onEvent) safely(() => onEvent({ type: 'denied', cost, at }))
    }
    notify()
  }

  return [
    counts,
    count,
    notify,
    (isOn) => {
      counts.isBypassed = isOn
      shown = undefined
      notify()
    },
    () => {
      const { ratePerSecond, burst } = rule()
      if (shown?.ratePerSecond !== ratePerSecond || shown.burst !== burst || shown.waiting !== counts.waiting)
        shown = Object.freeze({
          ratePerSecond,
          burst,
          ...counts,
          get level() {
            return level()
          },
        })
      return shown
    },
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  ]
}

/** Returns the decision on a request that has to wait `retryAfterMs`, with `level` left. */
export const decisionOf = (retryAfterMs: number, level: number): Decision => ({
  allowed: !retryAfterMs,
  retryAfterMs,
  // Rounding may leave a level just below a whole number, which `allow` tolerates too.
  remaining: Math.floor(Math.max(level + 1e-9, 0)),
})

/** Throws unless `cost` is a number from 0 and `at` a finite one; returns `at`. */
export function checkAsk(cost: number, at: number): number {
  check(cost >= 0, 'cost >= 0', cost, TypeError)
  check(at - at === 0, 'finite at', at, TypeError)
  return at
}
