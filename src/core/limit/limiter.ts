import { check } from '../shared/check.ts'
import { adviseOnRule } from '../shared/develop.ts'
import { safely } from '../shared/report.ts'
import { notifyAll } from '../shared/store.ts'
import { systemTimers, type Timers } from '../time/clock.ts'
import { exactWait, type Rule, type RuleChanges } from './rules/rule.ts'

/** What a limit decides for one request. */
export interface Decision {
  allowed: boolean
  /** Ms after which the same cost is allowed, if nothing else takes before. 0 if it is now; Infinity: never. */
  retryAfterMs: number
  /** How much is left: whole, at least 0. */
  remaining: number
}

/** Emitted for each refusal, but not by `peek`. */
export interface DeniedEvent {
  type: 'denied'
  cost: number
  /** The instant of the request, by the clock. */
  at: number
}

export interface LimiterOptions {
  /** The source of time. @default systemClock */
  clock?: Timers | undefined
  /** Called with each refusal, while it is made; what it throws is reported. To log a few of them, see `sampled`. */
  onEvent?: ((event: DeniedEvent) => void) | undefined
}

/** The state of a limit. The same object as long as nothing changed but the level. */
export interface LimiterSnapshot {
  /** Events per second in the long run. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
  /** As `remaining()` at the time of reading. */
  readonly level: number
  /** How many requests were allowed, booked and waited for, whatever they cost. */
  readonly allowed: number
  readonly denied: number
  readonly isBypassed: boolean
}

/**
 * One limit. Every `cost` is a number from 0 (default 1), every `at` a finite instant of the clock (default: now), for callers
 * that have read the clock already. A clock that steps back gives nothing, and time goes on from there.
 *
 * @throws TypeError from each method for a cost or an instant that is not a number, RangeError for one out of range or NaN.
 */
export interface Limiter<Changes = RuleChanges> {
  /** The source of time. */
  readonly clock: Timers
  /** Whether `cost` is allowed; takes it if so. */
  allow: (cost?: number, at?: number) => boolean
  /** As `allow`, and says when to try again. */
  decide: (cost?: number, at?: number) => Decision
  /** What `decide` would return. Takes nothing. */
  peek: (cost?: number, at?: number) => Decision
  /** The level: fractional. */
  remaining: (at?: number) => number
  /** Other limits from `at` on. @throws RangeError for a limit that is out of range or no number */
  configure: (changes: Changes, at?: number) => void
  /** While on, everything is allowed and nothing is taken: for emergencies. */
  bypass: (isOn: boolean) => void
  snapshot: () => LimiterSnapshot
  /** Calls `listener` when the snapshot changed, and reports what it throws; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
}

/** The counts and switches of the snapshot. Only a waiting limiter sets `waiting`. */
interface Counts {
  allowed: number
  denied: number
  isBypassed: boolean
  waiting: number
}

/** Limits how often something happens, by `rule`. Decides at once and keeps no timer; to wait, see `createWaitingLimiter`. */
export const createLimiter = <Changes = RuleChanges>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
): Limiter<Changes> => {
  adviseOnRule('createLimiter', rule, options)
  return limiterParts(rule, options)[0]
}

/** A limiter, with what `createWaitingLimiter` needs to add waiting. Its snapshot calls `remaining`, also if that is replaced. */
export function limiterParts<Changes>(
  rule: Rule<Changes>,
  { clock = systemTimers, onEvent }: LimiterOptions = {},
): [
  limiter: Limiter<Changes>,
  counts: Counts,
  state: () => [rule: Rule<Changes>, cells: Float64Array],
  count: (isAllowed: boolean, cost: number, at: number) => void,
  notify: () => void,
] {
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, clock.now())
  const listeners = new Set<() => void>()
  const counts = { allowed: 0, denied: 0, isBypassed: false } as Counts
  let shown: (LimiterSnapshot & Counts) | undefined

  // Short enough to be inlined, as all that `allow` calls.
  const notify = (): void => {
    if (listeners.size) notifyAll(listeners)
  }

  function count(isAllowed: boolean, cost: number, at: number): void {
    if (isAllowed) counts.allowed++
    else {
      counts.denied++
      if (onEvent) safely(() => onEvent({ type: 'denied', cost, at }))
    }
    shown = undefined
    notify()
  }

  // This runs a million times a second: all that it calls is short enough to be inlined, and nothing is allocated.
  function allow(cost = 1, at = clock.now()): boolean {
    checkAsk(cost, at)
    let isAllowed = counts.isBypassed
    if (!isAllowed) {
      isAllowed = !rule.waitMs(cells, 0, cost, at)
      // A refusal changes nothing, but it sets the limit back with a clock that was set back.
      if (isAllowed || at < cells[rule.takenAtCell]!) rule.book(cells, 0, isAllowed ? cost : 0, at)
    }
    count(isAllowed, cost, at)
    return isAllowed
  }

  const limiter: Limiter<Changes> = {
    clock,
    allow,
    decide: (cost = 1, at = clock.now()) =>
      limiter.allow(cost, at) ? decisionOf(0, limiter.remaining(at)) : limiter.peek(cost, at),
    peek(cost = 1, at = clock.now()) {
      checkAsk(cost, at)
      return decisionOf(counts.isBypassed ? 0 : exactWait(rule, cells, 0, cost, at), rule.level(cells, 0, at))
    },
    remaining: (at = clock.now()) => rule.level(cells, 0, checkAsk(0, at)),
    configure(changes, at = clock.now()) {
      ;[rule, cells] = rule.reconfigure(changes, cells, checkAsk(0, at))
      notify()
    },
    bypass(isOn) {
      counts.isBypassed = isOn
      shown = undefined
      notify()
    },
    snapshot() {
      const { ratePerSecond, burst } = rule
      if (shown?.ratePerSecond !== ratePerSecond || shown.burst !== burst || shown.waiting !== counts.waiting)
        shown = Object.freeze({
          ratePerSecond,
          burst,
          ...counts,
          get level() {
            return limiter.remaining()
          },
        })
      return shown
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return [limiter, counts, () => [rule, cells], count, notify]
}

/** A decision about a request that has to wait `retryAfterMs`, where `level` is left. */
export const decisionOf = (retryAfterMs: number, level: number): Decision => ({
  allowed: !retryAfterMs,
  retryAfterMs,
  // A level that rounding keeps just below a whole number is that number to `allow` too.
  remaining: Math.floor(Math.max(level + 1e-9, 0)),
})

/** Throws unless `cost` is a number from 0 and `at` a finite one; returns `at`. */
export function checkAsk(cost: number, at: number): number {
  check(cost >= 0, 'cost >= 0', cost, TypeError)
  check(at - at === 0, 'finite at', at, TypeError)
  return at
}
