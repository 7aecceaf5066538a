import { createAlarm } from './alarm.ts'
import { systemClock } from './clock.ts'
import { RateLimitError } from './errors.ts'
import { createLimiterRecord } from './limiter-record.ts'
import type { Decision, Limiter, LimiterOptions } from './limiter-types.ts'
import { onAbort } from './on-abort.ts'
import { checkFrom } from './rules/check-number.ts'
import { createPlace, type Place } from './rules/places.ts'
import type { Rule, RuleChanges } from './rules/rule.ts'

/** One who waits, and how it is told that it waits in vain. Its `at` is the latest that it waits for. */
interface Waiter extends Place {
  wake: () => void
  refuse: (retryAfterMs: number) => void
}

/**
 * Limits how often something happens, by `rule`. Ask with `allow` and drop what is refused, book with `reserve`, or stand in
 * line with `wait`. Keeps no timer but while someone waits.
 *
 * @throws RangeError from each call for a cost below 0 or NaN.
 */
export function createLimiter<Changes = RuleChanges>(
  rule: Rule<Changes>,
  { clock = systemClock, onEvent }: LimiterOptions = {},
): Limiter<Changes> {
  const line = rule.createLine(clock.now())
  const { count, waited, snapshot, subscribe, notify } = createLimiterRecord(onEvent)
  let nextAt: number
  const alarm = createAlarm(clock, (at) => serve(at < Infinity ? clock.now() : nextAt))
  let isBypassed = false
  let isDisposed = false

  function check(cost: number, at: number): void {
    checkFrom(0, 'cost', cost)
    checkFrom(-Infinity, 'at', at)
  }

  function serve(now: number): void {
    nextAt = line.serve(now)
    if (nextAt < Infinity) alarm.set(nextAt)
    else alarm.clear()
    notify()
  }

  /** Tells of each who waits, first to last, when it is its turn; who is then to go, is told `end`. */
  function dismiss(now: number, isToGo: (waiter: Waiter, turnAt: number) => boolean): void {
    line.each(now, (place, turnAt) => {
      const waiter = place as Waiter
      const { wake, cost } = waiter
      if (!isToGo(waiter, turnAt)) return
      line.leave(waiter, now)
      if (isBypassed) wake()
      else waiter.refuse(cost > line.rule.capacity || isDisposed ? Infinity : turnAt - now)
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
      retryAfterMs: isAllowed ? 0 : line.waitMs(cost, at),
      // A level that rounding keeps just below a whole number is that number to `allow` too.
      remaining: Math.max(Math.floor(line.level(at) + 1e-9), 0),
    }
  }

  return {
    allow,
    decide: (cost = 1, at = clock.now()) => answer(allow(cost, at), cost, at),
    peek(cost = 1, at = clock.now()) {
      check(cost, at)
      return answer(isBypassed || line.waitMs(cost, at) === 0, cost, at)
    },
    reserve(cost = 1, at = clock.now()) {
      check(cost, at)
      const place = createPlace(cost, at)
      const isTaken = !isBypassed && line.waitMs(cost, at) < Infinity
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
          serve(clock.now())
        },
      }
    },
    wait: (cost = 1, { signal, timeoutMs = Infinity } = {}) =>
      new Promise<void>((resolve, reject: (reason: unknown) => void) => {
        const since = clock.now()
        check(cost, since)
        checkFrom(0, 'timeoutMs', timeoutMs)
        signal?.throwIfAborted()

        const waiter: Waiter = {
          ...createPlace(cost, since + timeoutMs),
          wake() {
            stopListening?.()
            waited(clock.now() - since)
            count(true, cost, since)
            resolve()
          },
          refuse(retryAfterMs) {
            stopListening?.()
            count(false, cost, since)
            const code = isDisposed ? 'disposed' : 'wait-too-long'
            reject(new RateLimitError(code, `Not waited for: ${code}`, retryAfterMs))
          },
        }
        let stopListening: (() => void) | undefined = undefined
        if (isDisposed) return waiter.refuse(Infinity)
        if (isBypassed || line.take(cost, since)) return waiter.wake()
        const waitMs = line.waitMs(cost, since)
        if (waitMs === Infinity || waitMs > timeoutMs) return waiter.refuse(waitMs)
        line.join(waiter, since)
        stopListening =
          signal &&
          onAbort(signal, () => {
            const now = clock.now()
            line.leave(waiter, now)
            reject(signal.reason)
            serve(now)
          })
        serve(since)
      }),
    remaining: (at = clock.now()) => line.level(at),
    configure(changes, at = clock.now()) {
      check(0, at)
      line.reconfigure(changes, at)
      dismiss(
        at,
        ({ cost, at: latest }, turnAt) => turnAt > latest || turnAt === Infinity || cost > line.rule.capacity,
      )
    },
    bypass(isOn) {
      isBypassed = isOn
      dismiss(clock.now(), () => isOn)
    },
    snapshot() {
      const { ratePerSecond, burst } = line.rule
      return snapshot({ ratePerSecond, burst, waiting: line.waiting, isBypassed }, () =>
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
