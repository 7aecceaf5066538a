import { onAbort, reasonOf } from '../shared/abort.ts'
import { adviseOnMade } from '../shared/develop.ts'
import { RateLimitError } from '../shared/errors.ts'
import { createAlarm } from '../time/alarm.ts'
import { checkAsk, type Limiter } from './limiter.ts'
import type { Rule } from './rules/rule.ts'
import { waitingParts, type WaitingLimiter } from './waiting-limiter.ts'

/** What `allOf` returns if a limiter has no `reserve`. */
export type WaitingOnly = Omit<WaitingLimiter, 'reserve'>

/**
 * Combines limiters: a request is allowed if each of them allows it, and takes from all or from none. So the limits of a user, a
 * route and the server hold together. Rules and clocks may differ. O(limiters) per decision.
 *
 * A refusal is counted by the limiters that refuse, and `retryAfterMs` is the longest of theirs. `reserve` books with each limiter
 * at its earliest instant; the reservation's instant is the latest of these. A `cancel` gives back to the limiters whose instant has
 * not come. If a limiter has no `reserve`, neither has the result.
 *
 * A waiting caller takes from all limiters when its turn has come and all allow it. Until then it holds nothing, so direct callers of
 * one of the limiters may overtake it. Then `retryAfterMs` is a lower bound, and a wait that becomes too long ends after `timeoutMs`.
 *
 * @throws TypeError without limiters, and from `configure`: configure the limiters themselves.
 */
export function allOf(...limiters: readonly WaitingLimiter<never>[]): WaitingLimiter
export function allOf(...limiters: readonly Limiter<never>[]): WaitingOnly
export function allOf(...limiters: readonly Limiter<never>[]): WaitingLimiter {
  const [one] = limiters
  if (!one) throw new TypeError('Expected at least one limiter, got none')
  for (const limiter of limiters)
    adviseOnMade('allOf: limiter', limiter, 'peek', 'createLimiter or createWaitingLimiter')
  const { clock } = one
  const all = limiters as readonly WaitingLimiter<never>[]
  let own: Float64Array | undefined
  let isTaking = false
  let waits = 0

  /** Converts the instant `at` of this clock to the clock of `limiter`. */
  const instant = (limiter: Limiter<never>, at: number): number =>
    limiter.clock === clock ? at : at + limiter.clock.now() - clock.now()

  /** Whether the clock of `limiter` was set back behind its last taking: its waits then last longer than it says. */
  function isBehind(limiter: WaitingLimiter<never>, at: number): boolean {
    const { burst, waiting } = limiter.snapshot()
    const waitMs = limiter.peek(burst, at).retryAfterMs
    // With callers of its own it sets itself back.
    return !waiting && waitMs < Infinity && !limiter.peek(burst, at + waitMs).allowed
  }

  const least = (number: (limiter: Limiter<never>) => number): number => Math.min(...limiters.map(number))

  const rule: Rule = {
    cells: 1,
    takenAtCell: 0,
    costsAddUp: false,
    get ratePerSecond() {
      return least((limiter) => limiter.snapshot().ratePerSecond)
    },
    get burst() {
      return least((limiter) => limiter.snapshot().burst)
    },
    start(cells) {
      own = cells
      // Each limiter itself handles a clock that was set back, and computes the exact wait.
      cells[0] = Infinity
    },
    book(cells, _, cost, at) {
      // The queue looks ahead with copies of the cells. Then nothing is taken.
      if (cells !== own || isTaking) return
      isTaking = true
      for (const limiter of all) {
        const then = instant(limiter, at)
        // A wait only peeks, which does not set a limiter back with its clock. A cost of 0 does, but counts as allowed.
        if (cost > 0 || (waits > 0 && isBehind(limiter, then))) limiter.allow(cost, then)
      }
      isTaking = false
    },
    // Nothing is allowed to a listener in the middle of a taking.
    waitMs: (_cells, _offset, cost, at) =>
      isTaking ? 1 : -least((limiter) => -limiter.peek(cost, instant(limiter, at)).retryAfterMs),
    level: (_cells, _offset, at) => least((limiter) => limiter.remaining(instant(limiter, at))),
    reconfigure() {
      throw new TypeError(
        'Expected configure of one of the limiters: all of them have no limits of their own',
      )
    },
  }

  const [limiter, count, serve] = waitingParts(rule, { clock })
  let stopWatching: () => void

  /** Calls `listener` when a limiter has changed: by its direct callers, or by `configure`. */
  function watch(listener: () => void): () => void {
    const stops = limiters.map((each) =>
      each.subscribe(() => {
        if (!isTaking) listener()
      }),
    )
    return () => stops.forEach((stop) => stop())
  }

  /** Counts a refusal at the limiters that refuse, and sets them back with their clocks. */
  function refuse(cost: number, at: number): void {
    for (const each of limiters) {
      const then = instant(each, at)
      if (!each.peek(cost, then).allowed) each.allow(cost, then)
    }
  }

  const combined: WaitingLimiter = {
    ...limiter,
    allow(cost = 1, at = clock.now()) {
      const isAllowed = limiter.allow(cost, at)
      if (!isAllowed) refuse(cost, at)
      return isAllowed
    },
    decide(cost = 1, at = clock.now()) {
      const decision = limiter.decide(cost, at)
      if (decision.allowed) return decision
      refuse(cost, at)
      // Waits are exact only now: the refusals have set the limiters back if the clock was set back.
      return { ...decision, retryAfterMs: limiter.peek(cost, at).retryAfterMs || 1 }
    },
    wait(cost = 1, { signal, timeoutMs = Infinity } = {}) {
      const since = clock.now()
      const controller = new AbortController()
      if (signal?.aborted) controller.abort(reasonOf(signal))
      const stopListening = signal && onAbort(signal, (reason) => controller.abort(reason))
      if (waits++ === 0) stopWatching = watch(() => serve(clock.now()))
      const waiting = limiter.wait(cost, { signal: controller.signal, timeoutMs })
      const alarm = createAlarm(clock, () => {
        serve(clock.now())
        const { waiting: before } = limiter.snapshot()
        const { retryAfterMs } = limiter.peek(cost)
        controller.abort(new RateLimitError('wait-too-long', 'Wait refused: wait-too-long', retryAfterMs))
        if (limiter.snapshot().waiting < before) count(false, cost, since)
      })
      alarm.set(since + timeoutMs)
      const end = (): void => {
        alarm.clear()
        stopListening?.()
        if (--waits === 0) stopWatching()
      }
      waiting.then(end, end)
      return waiting
    },
    reserve(cost = 1, at = clock.now()) {
      checkAsk(cost, at)
      const bookings = limiter.snapshot().isBypassed
        ? []
        : all.map((each) => each.reserve(cost, instant(each, at)))
      const delays = bookings.map((booking, index) => booking.delay(instant(all[index]!, at)))
      const delayMs = Math.max(0, ...delays)
      const ok = delayMs < Infinity
      // In reverse order, so that a limiter listed twice gives both bookings back.
      const cancel = (from = clock.now()): void => {
        checkAsk(0, from)
        for (let index = bookings.length; index--;) bookings[index]!.cancel(instant(all[index]!, from))
      }
      if (!ok) cancel(at)
      count(ok, cost, at)
      return {
        ok,
        at: at + delayMs,
        delay: (from = clock.now()) => Math.max(at + delayMs - checkAsk(0, from), 0),
        cancel,
      }
    },
    subscribe(listener) {
      const stops = [limiter.subscribe(listener), watch(listener)]
      return () => stops.forEach((stop) => stop())
    },
  }
  if (!all.every((each) => 'reserve' in each)) delete (combined as Partial<WaitingLimiter>).reserve
  return combined
}
