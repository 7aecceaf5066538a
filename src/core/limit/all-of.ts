import { createAlarm } from '../time/alarm.ts'
import { createHeap, type HeapItem } from '../queue/heap.ts'
import { createLimiterRecord } from './limiter-record.ts'
import type { Decision, WaitingLimiter } from './limiter-types.ts'
import { checkFrom } from './rules/check-number.ts'
import { aboveZero } from './rules/rule.ts'
import { createFifo } from '../queue/fifo.ts'
import type { Place } from '../queue/place.ts'
import { waitFor, type Waiter } from '../queue/waiter.ts'

/** One who waits in line; `place` is its place among the deadlines. */
type Standing = Waiter & HeapItem

/**
 * Several limits as one: what is allowed is allowed by each, and takes from all or from none. So a user's limit, a route's
 * and the server's hold at once; rules and clocks may differ. O(limiters) each.
 *
 * A refusal counts as one at the limiters that refuse, and `retryAfterMs` is the longest of theirs. `reserve` books with each
 * at its own earliest, to act at the last; one cancelled after some of these instants gives back to the others. Who waits
 * takes from all when its turn has come and all allow it; until then it holds nothing, so those who use one of the
 * limiters directly may be faster. `retryAfterMs` knows nothing of who waits, and with `timeoutMs` a wait that others make
 * too long ends when that time is over. Source: seed 001, hierarchical token buckets.
 *
 * @throws TypeError without limiters, and from `configure`: that is for the limiters themselves.
 */
export function allOf(...limiters: readonly WaitingLimiter<never>[]): WaitingLimiter<never> {
  if (limiters.length === 0) throw new TypeError('Expected at least one limiter, got none')
  const { clock } = limiters[0]!
  const record = createLimiterRecord()
  const { count, snapshot, subscribe, notify } = record
  const line = createFifo<Place>()
  const deadlines = createHeap<Standing>((a, b) => a.at < b.at)
  const alarm = createAlarm(clock, serve)
  let unsubscribe: (() => void)[] = []
  let isServing = false
  let isBypassed = false
  let isDisposed = false

  function peek(cost: number, at?: number): Decision {
    checkFrom(0, 'cost', cost)
    const all = limiters.map((limiter) => limiter.peek(cost, at))
    return {
      allowed: isBypassed || all.every(({ allowed }) => allowed),
      retryAfterMs: isBypassed ? 0 : Math.max(...all.map(({ retryAfterMs }) => retryAfterMs)),
      remaining: Math.min(...all.map(({ remaining }) => remaining)),
    }
  }

  /** Takes from all if all allow it. Else those that refuse count it, and learn what time it is. */
  function take(cost: number, at?: number): boolean {
    const { allowed } = peek(cost, at)
    if (isBypassed) return true
    for (const limiter of limiters) if (allowed || !limiter.peek(cost, at).allowed) limiter.allow(cost, at)
    return allowed
  }

  function allow(cost = 1, at?: number): boolean {
    checkFrom(0, 'cost', cost)
    const isAllowed = isBypassed || (line.size === 0 && take(cost, at))
    count(isAllowed, cost, at ?? clock.now())
    return isAllowed
  }

  function leave(waiter: Standing): void {
    line.remove(waiter)
    deadlines.remove(waiter)
  }

  /** Lets those go for whom there is room, and ends what has waited too long. */
  function serve(): void {
    // What is taken here is told to us as well.
    if (isServing) return
    isServing = true
    let retryAfterMs = Infinity
    for (let { first } = line; first; { first } = line) {
      const decision = peek(first.cost)
      retryAfterMs = decision.retryAfterMs
      const waiter = first as Standing
      if (!isDisposed && decision.allowed) {
        take(first.cost)
        leave(waiter)
        waiter.wake()
      } else if (isDisposed || retryAfterMs === Infinity) {
        leave(waiter)
        waiter.refuse(isDisposed ? undefined : Infinity)
      } else break
    }
    const now = clock.now()
    for (let late = deadlines.peek(); late && late.at <= now; late = deadlines.peek()) {
      leave(late)
      late.refuse(peek(late.cost).retryAfterMs)
    }
    isServing = false
    const nextAt = Math.min(now + retryAfterMs, deadlines.peek()?.at ?? Infinity)
    if (line.size > 0 && nextAt < Infinity) alarm.set(nextAt)
    else alarm.clear()
    if (line.size === 0) for (const stop of unsubscribe.splice(0)) stop()
    else if (unsubscribe.length === 0) unsubscribe = limiters.map((limiter) => limiter.subscribe(serve))
    notify()
  }

  return {
    clock,
    allow,
    decide(cost = 1, at) {
      const isAllowed = allow(cost, at)
      const { retryAfterMs, remaining } = peek(cost, at)
      return { allowed: isAllowed, retryAfterMs: isAllowed ? 0 : aboveZero(retryAfterMs), remaining }
    },
    peek(cost = 1, at) {
      const decision = peek(cost, at)
      const allowed = decision.allowed && (isBypassed || line.size === 0)
      return { ...decision, allowed, retryAfterMs: allowed ? 0 : aboveZero(decision.retryAfterMs) }
    },
    reserve(cost = 1, at) {
      checkFrom(0, 'cost', cost)
      const now = at ?? clock.now()
      const bookings = isBypassed ? [] : limiters.map((limiter) => limiter.reserve(cost, at))
      const cancel = (from?: number): void => {
        // The last first, so that a limiter that is there twice gives back both.
        for (const booking of [...bookings].reverse()) booking.cancel(from)
      }
      const ok = bookings.every((booking) => booking.ok)
      const delayMs = ok ? Math.max(0, ...bookings.map((booking) => booking.delay(at))) : Infinity
      if (!ok) cancel(at)
      count(ok, cost, now)
      return {
        ok,
        at: now + delayMs,
        delay: (from = clock.now()) => Math.max(now + delayMs - from, 0),
        cancel,
      }
    },
    wait: (cost = 1, options = {}) =>
      waitFor({ clock }, record, cost, options, (one, onLeave) => {
        const waiter: Standing = Object.assign(one, { place: -1 })
        const { retryAfterMs } = peek(cost)
        if (isDisposed) return waiter.refuse()
        if (waiter.since + retryAfterMs > waiter.at) return waiter.refuse(retryAfterMs)
        line.push(waiter)
        if (waiter.at < Infinity) deadlines.push(waiter)
        onLeave(() => {
          leave(waiter)
          serve()
        })
        serve()
      }),
    remaining: (at) => Math.min(...limiters.map((limiter) => limiter.remaining(at))),
    configure() {
      throw new TypeError(
        'Expected configure to be called on one of the limiters: all of them have no limits of their own',
      )
    },
    bypass(isOn) {
      isBypassed = isOn
      serve()
    },
    snapshot() {
      const all = limiters.map((limiter) => limiter.snapshot())
      const ratePerSecond = Math.min(...all.map((one) => one.ratePerSecond))
      const burst = Math.min(...all.map((one) => one.burst))
      return snapshot({ ratePerSecond, burst, waiting: line.size, isBypassed }, () =>
        Math.min(...all.map((one) => one.level)),
      )
    },
    subscribe,
    [Symbol.dispose]() {
      isDisposed = true
      serve()
    },
  }
}
