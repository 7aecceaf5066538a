import { createAlarm } from '../time/alarm.ts'
import { systemClock } from '../time/clock.ts'
import { createLimiterRecord } from './limiter-record.ts'
import type { Decision, Limiter, LimiterOptions, WaitingLimiter } from './limiter-types.ts'
import { createLine } from '../queue/line.ts'
import { createPlace } from '../queue/place.ts'
import { checkFrom } from './rules/check-number.ts'
import { aboveZero, SLACK_MS, type Rule, type RuleChanges } from './rules/rule.ts'
import { waitFor, type Waiter } from '../queue/waiter.ts'

/**
 * Limits how often something happens, by `rule`. Ask with `allow` and drop what is refused, book with `reserve`, or stand in
 * line with `wait`. Keeps no timer but while someone waits.
 *
 * @throws RangeError from each call for a cost below 0 or NaN.
 */
export function createWaitingLimiter<Changes = RuleChanges>(
  rule: Rule<Changes>,
  { clock = systemClock, onEvent }: LimiterOptions = {},
): WaitingLimiter<Changes> {
  const line = createLine(rule, clock.now())
  const record = createLimiterRecord(onEvent)
  const { count, snapshot, subscribe, notify } = record
  const alarm = createAlarm(clock, (at) => {
    if (at === Infinity) {
      // The clock does not move with the timers: it is the time that the timer was set to, and goes on from what is read.
      line.serve(line.turnAt())
      line.serve(clock.now())
    }
    serve(clock.now())
  })
  let isBypassed = false
  let isDisposed = false

  function check(cost: number, at: number): void {
    checkFrom(0, 'cost', cost)
    checkFrom(-Infinity, 'at', at)
  }

  function serve(now: number): void {
    // With nobody to serve the instants that callers gave stand, however far they are from the clock's.
    const nextAt = line.waiting() > 0 ? line.serve(now) : Infinity
    if (nextAt < Infinity) alarm.set(nextAt)
    else alarm.clear()
    notify()
  }

  /** Sends away who is to go: on its way while bypassed, else with an error. */
  function dismiss(now: number, isToGo: (waiter: Waiter, turnAt: number) => boolean): void {
    line.each(now, (place, turnAt) => {
      const waiter = place as Waiter
      const { wake, cost } = waiter
      if (!isToGo(waiter, turnAt)) return
      line.leave(waiter, now)
      if (isBypassed) wake()
      else waiter.refuse(isDisposed ? undefined : cost > line.rule().capacity ? Infinity : turnAt - now)
    })
    serve(now)
  }

  function allow(cost = 1, at = clock.now()): boolean {
    // Not `check` at once: this runs a million times a second.
    if (!(cost >= 0 && at >= -Infinity)) check(cost, at)
    const isAllowed = isBypassed || line.take(cost, at)
    count(isAllowed, cost, at)
    return isAllowed
  }

  function answer(isAllowed: boolean, cost: number, at: number): Decision {
    return {
      allowed: isAllowed,
      // Where a timer is late there may be room, and those who wait for it go first.
      retryAfterMs: isAllowed ? 0 : aboveZero(line.waitMs(cost, at)),
      // A level that rounding keeps just below a whole number is that number to `allow` too.
      remaining: Math.max(Math.floor(line.level(at) + 1e-9), 0),
    }
  }

  return {
    clock,
    allow,
    decide: (cost = 1, at = clock.now()) => answer(allow(cost, at), cost, at),
    peek(cost = 1, at = clock.now()) {
      check(cost, at)
      return answer(isBypassed || (line.waiting() === 0 && line.waitMs(cost, at) === 0), cost, at)
    },
    reserve(cost = 1, at = clock.now()) {
      check(cost, at)
      const place = createPlace(cost, at)
      let isTaken = !isBypassed && line.waitMs(cost, at) < Infinity
      const ok = isTaken || isBypassed
      if (isTaken) line.join(place, at)
      if (!ok) place.at = Infinity
      count(ok, cost, at)
      return {
        ok,
        get at() {
          return place.at
        },
        delay: (now = clock.now()) => Math.max(place.at - now, 0),
        cancel(now = clock.now()) {
          if (isTaken) line.leave(place, now)
          isTaken = false
          serve(clock.now())
        },
      }
    },
    wait: (cost = 1, options = {}) =>
      waitFor({ clock }, record, cost, options, (waiter, onLeave) => {
        const { since } = waiter
        if (isDisposed) return waiter.refuse()
        if (isBypassed || line.take(cost, since)) return waiter.wake()
        // How long exactly is of interest only to who is in a hurry.
        const waitMs = waiter.at < Infinity ? line.waitMs(cost, since) : line.leastMs(cost, since)
        if (waitMs === Infinity || since + waitMs > waiter.at) return waiter.refuse(waitMs)
        line.join(waiter, since)
        onLeave(() => {
          const now = clock.now()
          line.leave(waiter, now)
          serve(now)
        })
        serve(since)
      }),
    remaining: (at = clock.now()) => line.level(at),
    configure(changes, at = clock.now()) {
      check(0, at)
      line.reconfigure(changes, at)
      // Rounding is no reason to send away whom the limits that it came under leave just enough time.
      dismiss(at, (waiter, turnAt) => {
        const isLate = turnAt - waiter.at > SLACK_MS + turnAt * 2 ** -50
        return isLate || turnAt === Infinity || waiter.cost > line.rule().capacity
      })
    },
    bypass(isOn) {
      isBypassed = isOn
      dismiss(clock.now(), () => isOn)
    },
    snapshot() {
      const { ratePerSecond, burst } = line.rule()
      return snapshot({ ratePerSecond, burst, waiting: line.waiting(), isBypassed }, () =>
        line.level(clock.now()),
      )
    },
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      dismiss(clock.now(), () => true)
    },
  }
}

/** Limits how often something happens, by `rule`, and decides at once. */
export function createLimiter<Changes = RuleChanges>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
): Limiter<Changes> {
  return createWaitingLimiter(rule, options)
}
