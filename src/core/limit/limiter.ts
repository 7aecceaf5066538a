import { checkFinite, checkNumberFrom } from '../shared/check.ts'
import { createListeners } from '../shared/listeners.ts'
import { report } from '../shared/report.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import { aboveZero, exactWait, type Rule, type RuleChanges } from './rules/rule.ts'

/** What a limit decides for one request. */
export interface Decision {
  allowed: boolean
  /** Ms after which the same cost is allowed, if nothing else takes before. 0 if it is now; Infinity: never. */
  retryAfterMs: number
  /** How much is left: whole, at least 0. */
  remaining: number
}

/** A refusal. A `peek` is none. */
export interface DeniedEvent {
  type: 'denied'
  cost: number
  /** The instant of the request, by the clock. */
  at: number
}

export interface LimiterOptions {
  /** The source of time. @default systemClock */
  clock?: Clock | undefined
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
  readonly clock: Clock
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

/** What a limiter limits by: a rule and its cells, those and a queue, or several limiters. */
export interface Limit<Changes, State extends object = object> {
  take: (cost: number, at: number) => boolean
  /** 0 if `cost` is allowed now; exact. */
  waitMs: (cost: number, at: number) => number
  level: (at: number) => number
  configure: (changes: Changes, at: number) => void
  /** What a snapshot shows besides the counts. */
  state: () => State & Pick<LimiterSnapshot, 'ratePerSecond' | 'burst'>
}

/** A limiter, and what a part that adds to it needs. */
export interface LimiterParts<Changes, State extends object> {
  limiter: Omit<Limiter<Changes>, 'snapshot'> & { snapshot: () => LimiterSnapshot & State }
  /** Counts what became of a request. */
  count: (isAllowed: boolean, cost: number, at: number) => void
  notify: () => void
  isBypassed: () => boolean
}

/** Limits how often something happens, by `rule`. Decides at once and keeps no timer; to wait, see `createWaitingLimiter`. */
export function createLimiter<Changes = RuleChanges>(
  rule: Rule<Changes>,
  options: LimiterOptions = {},
): Limiter<Changes> {
  const { clock = systemClock } = options
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, clock.now())
  // Kept beside the rule: the call then needs no look-up, and can be inlined.
  let { take } = rule
  return limiterOf(
    {
      take: (cost, at) => take(cells, 0, cost, at),
      waitMs: (cost, at) => exactWait(rule, cells, 0, cost, at),
      level: (at) => rule.level(cells, 0, at),
      configure(changes, at) {
        ;[rule, cells] = rule.reconfigure(changes, cells, at)
        ;({ take } = rule)
      },
      state: () => rule,
    },
    clock,
    options.onEvent,
  ).limiter
}

/** A limiter by `limit`: checks what it is given, counts what was decided, and shows it. */
export function limiterOf<Changes, State extends object>(
  { take, waitMs, level, configure, state }: Limit<Changes, State>,
  clock: Clock,
  onEvent: LimiterOptions['onEvent'],
): LimiterParts<Changes, State> {
  const { subscribe, notify } = createListeners()
  let allowed = 0
  let denied = 0
  let isBypassed = false
  let last: (LimiterSnapshot & State) | undefined

  function changed(): void {
    last = undefined
    notify()
  }

  function count(isAllowed: boolean, cost: number, at: number): void {
    if (isAllowed) allowed++
    else {
      denied++
      try {
        onEvent?.({ type: 'denied', cost, at })
      } catch (error) {
        report(error)
      }
    }
    changed()
  }

  function allow(cost = 1, at = clock.now()): boolean {
    checkAsk(cost, at)
    const isAllowed = isBypassed || take(cost, at)
    count(isAllowed, cost, at)
    return isAllowed
  }

  const decision = (retryAfterMs: number, at: number): Decision => ({
    allowed: retryAfterMs === 0,
    retryAfterMs,
    // A level that rounding keeps just below a whole number is that number to `allow` too.
    remaining: Math.max(Math.floor(level(at) + 1e-9), 0),
  })

  return {
    count,
    notify: changed,
    isBypassed: () => isBypassed,
    limiter: {
      clock,
      allow,
      decide: (cost = 1, at = clock.now()) =>
        decision(allow(cost, at) ? 0 : aboveZero(waitMs(cost, at)), at),
      peek(cost = 1, at = clock.now()) {
        checkAsk(cost, at)
        return decision(isBypassed ? 0 : waitMs(cost, at), at)
      },
      remaining(at = clock.now()) {
        checkAsk(0, at)
        return level(at)
      },
      configure(changes, at = clock.now()) {
        checkAsk(0, at)
        configure(changes, at)
        changed()
      },
      bypass(isOn) {
        isBypassed = isOn
        changed()
      },
      snapshot() {
        const { ratePerSecond, burst } = state()
        return (last ??= Object.freeze({
          ratePerSecond, burst,
          allowed,
          denied,
          isBypassed,
          get level() {
            return level(clock.now())
          },
        }))
      },
      subscribe,
    },
  }
}

/** Throws for a `cost` or an instant that is none. */
export function checkAsk(cost: number, at: number): void {
  checkNumberFrom(0, 'cost', cost)
  checkFinite('at', at)
}
