import { onAbort, reasonOf } from '../shared/abort.ts'
import { check } from '../shared/check.ts'
import { adviseOnRule } from '../shared/develop.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { isBelieved } from '../time/alarm.ts'
import { LONGEST_MS, systemTimers } from '../time/clock.ts'
import {
  checkAsk,
  decisionOf,
  limiterParts,
  type Limiter,
  type LimiterOptions,
  type LimiterSnapshot,
} from './limiter.ts'
import { exactWait, type Rule, type RuleChanges } from './rules/rule.ts'

/** A booking: its cost is taken for the instant `at`. */
export interface Reservation {
  /** Whether it was booked. If not, nothing was taken, because the limit never allows that cost. */
  readonly ok: boolean
  /** The instant at which to act. Infinity if not `ok`. */
  readonly at: number
  /** Returns the ms from `at` (default: now) until the time to act: 0 for at once, Infinity if not `ok`. */
  delay: (at?: number) => number
  /** Gives back what was not promised to later reservations. After its instant, or a second time, it does nothing. */
  cancel: (at?: number) => void
}

export interface WaitOptions {
  /** Aborting it ends the wait at once; the promise rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Maximum wait in ms, at least 0. @default Infinity */
  timeoutMs?: number | undefined
}

/** The state of a waiting limiter. The same object while nothing but the level has changed. */
export interface WaitingLimiterSnapshot extends LimiterSnapshot {
  /** The number of waiting callers. */
  readonly waiting: number
}

/** A limiter that also books ahead and lets callers wait. `allow` and `decide` do not overtake waiting calls. */
export interface WaitingLimiter<Changes = RuleChanges> extends Limiter<Changes> {
  /**
   * Books `cost` behind all earlier callers. Returns when to act. O(n) with n queued reservations: those of rules whose costs do not
   * add up (windows), and those behind waiting callers.
   */
  reserve: (cost?: number, at?: number) => Reservation
  /**
   * Resolves when `cost` is allowed, in order of arrival.
   *
   * The limit holds for the instants at which promises resolve. The event loop decides when a caller continues: after a task of 50
   * ms the callers of two windows of 10 per 100 ms may continue together. To limit what is sent, let the limiter start it: see
   * `createQueue`.
   *
   * Rejects with a `RateLimitError` (code 'wait-too-long') at once, and takes nothing, if the wait would last for ever or longer
   * than `timeoutMs`, or as soon as a `configure` makes it so. Rejects with code 'disposed' on disposal, and with `signal.reason` in
   * the tick of its abort; callers behind it move up.
   *
   * O(1). With `timeoutMs` O(n) for n waiting callers, if there are reservations or costs do not add up (windows).
   */
  wait: (cost?: number, options?: WaitOptions) => Promise<void>
  /** As `Limiter.configure`. Pending waits get new turns, each with the complexity of a `wait`. */
  configure: (changes: Changes, at?: number) => void
  snapshot: () => WaitingLimiterSnapshot
  /** Rejects all waits, including later ones. Decisions without a wait work as before. */
  [Symbol.dispose]: () => void
}

/** An entry of the queue: a waiting caller or a reservation. */
interface Entry {
  readonly cost: number
  /** The instant of a reservation, or the latest instant that a caller waits for. */
  at: number
  /** Resolves the wait, or rejects it with a code. Undefined for a reservation. */
  readonly end?: (code?: RateLimitErrorCode | false, retryAfterMs?: number) => void
}

/** Instants closer than this are equal, because late instants are rounded. Go counts nanoseconds. */
const SAME_MS = 2 ** -10

/**
 * Like `createLimiter`, but callers may also `reserve` ahead or `wait` for their turn. Keeps a timer only while a caller waits.
 *
 * A waiting caller takes when its turn comes, not before. So after a late timer, as in a hidden tab, no more callers continue at
 * once than the limit allows. A reservation takes at once if costs add up, and can give back, as in Go's x/time/rate. Otherwise,
 * and behind waiting callers, it is queued and takes at its instant.
 */
export const createWaitingLimiter: {
  <Changes = RuleChanges>(rule: Rule<Changes>, options?: LimiterOptions): WaitingLimiter<Changes>
  /** For a rule that is one of several kinds. */
  (rule: Rule, options?: LimiterOptions): WaitingLimiter
} = <Changes = RuleChanges>(rule: Rule<Changes>, options?: LimiterOptions): WaitingLimiter<Changes> => {
  adviseOnRule('createWaitingLimiter', rule, options)
  return waitingParts(rule, options)[0]
}

/** Creates a waiting limiter. For `allOf`, also returns its functions that count a decision and resolve due waits. */
export function waitingParts<Changes>(
  rule: Rule<Changes>,
  { clock = systemTimers, onEvent }: LimiterOptions = {},
): [
  limiter: WaitingLimiter<Changes>,
  count: (isAllowed: boolean, cost: number, at: number) => void,
  serve: (now: number) => void,
] {
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, clock.now())
  const [counts, count, notify, bypass, snapshot, subscribe] = limiterParts(
    onEvent,
    () => rule,
    () => limiter.remaining(),
  )
  const queue = new Set<Entry>()
  // Advances with the first entry: a search from the beginning is slow when many have left.
  let turns: Iterator<Entry, undefined>
  let first: Entry | undefined
  // The sum of the costs in the queue.
  let queuedCost = 0
  // The latest instant at which something was allowed or is booked: Go's `lastEvent`.
  let lastEvent = -Infinity
  let stopTimer: (() => void) | undefined
  /** The code that waits reject with after disposal. */
  let over: RateLimitErrorCode | undefined
  counts.waiting = 0

  const ruleWaitMs = (cost: number, at: number, then = cells): number => exactWait(rule, then, 0, cost, at)

  /** Adds `entry` to the queue. If it would wait too long, returns a function that ends its wait instead. */
  function join(entry: Entry, at: number, slackMs = 0): (() => void) | undefined {
    if (entry.end) {
      // The exact wait matters only with a deadline.
      const waitMs = entry.at < Infinity ? look(entry.cost, at)[0] : ruleWaitMs(entry.cost, at)
      if (waitMs === Infinity || at + waitMs > entry.at + slackMs)
        return () => entry.end!('wait-too-long', waitMs)
      counts.waiting++
    }
    queue.add(entry)
    queuedCost += entry.cost
    if (!first) {
      turns = queue.values()
      first = turns.next().value
    }
    return undefined
  }

  /** Removes `entry`. Returns whether it was in the queue. */
  function leave(entry: Entry): boolean {
    const wasIn = queue.delete(entry)
    if (wasIn) {
      queuedCost = queue.size && queuedCost - entry.cost
      if (entry.end) counts.waiting--
      if (entry === first) first = turns.next().value
    }
    return wasIn
  }

  function take(cost: number, at: number): void {
    lastEvent = at
    rule.book(cells, 0, cost, at)
  }

  /** Sets the cells `into` back if the clock was set back. Returns by how many ms. */
  function setBack(into: Float64Array, at: number): number {
    const backMs = Math.max(into[rule.takenAtCell]! - at, 0)
    if (backMs > 0) rule.book(into, 0, 0, at)
    return backMs
  }

  /**
   * Takes for the entries whose turn has come: reservations, and also waits if `serves`. Rejects waits whose turn never comes. Sets
   * reservations back with the clock. Returns the ms until the next turn.
   */
  function settle(at: number, serves = false): number {
    const backMs = setBack(cells, at)
    if (backMs > 0) for (const entry of queue) if (!entry.end) entry.at -= backMs
    while (first && (serves || !first.end)) {
      const entry = first
      const turnMs = entry.end ? ruleWaitMs(entry.cost, at) : entry.at - at
      if (turnMs > 0 && turnMs < Infinity) return turnMs
      if (turnMs <= 0) take(entry.cost, entry.end ? at : Math.max(entry.at, cells[rule.takenAtCell]!))
      // A listener of a limiter of `allOf` may have ended it.
      if (entry !== first) continue
      leave(entry)
      entry.end?.(turnMs > 0 && 'wait-too-long')
    }
    return 0
  }

  /** Returns the wait of `cost` behind the queue, and the level. */
  function look(cost: number, at: number): [waitMs: number, level: number] {
    checkAsk(cost, at)
    // The cells after all entries have taken, and the turn of the last one.
    let then = cells
    let from = -Infinity
    if (first) {
      then = cells.slice()
      if (rule.costsAddUp && queue.size === counts.waiting) rule.book(then, 0, queuedCost, at)
      else {
        const backMs = setBack(then, at)
        for (const entry of queue) {
          const since = Math.max(from, entry.end ? at : entry.at - backMs)
          const turnAt = entry.end ? since + ruleWaitMs(entry.cost, since, then) : since
          // One that can no longer pass is rejected when it comes first.
          if (turnAt < Infinity) {
            from = turnAt
            rule.book(then, 0, entry.cost, from)
          }
        }
      }
    }
    from = Math.max(from, at)
    const ownMs = ruleWaitMs(cost, from, then)
    let waitMs = from - at + ownMs
    if (at + waitMs < from + ownMs) waitMs *= 1 + 2 ** -52
    // If a timer is late there is room, but waiting callers come first: ask again after that timer.
    if (counts.waiting) waitMs ||= 1
    return [
      counts.isBypassed ? 0 : waitMs,
      from > at || counts.waiting
        ? Math.min(rule.level(cells, 0, at) - queuedCost, 0)
        : rule.level(then, 0, at),
    ]
  }

  /** Resolves the waits whose turn has come, and sets the timer for the next turn. */
  function serve(now: number): void {
    // With reservations only, nothing is settled here: callers may have given instants far from the clock's.
    const turnMs = counts.waiting && Math.min(settle(now, true), LONGEST_MS)
    stopTimer?.()
    stopTimer = counts.waiting
      ? clock.after(turnMs, () => {
          const wokenAt = clock.now()
          // The timer proves that the turn has come, even if the clock stands still or was set back.
          if (!isBelieved(wokenAt, now, now + turnMs)) {
            settle(wokenAt + settle(wokenAt, true) + SAME_MS, true)
            settle(wokenAt)
          }
          serve(wokenAt)
        })
      : undefined
    notify()
  }

  /** Resolves all waits, or rejects them with `code`. */
  function endAll(code?: RateLimitErrorCode): void {
    for (const entry of queue) entry.end?.(code)
    serve(clock.now())
  }

  const limiter: WaitingLimiter<Changes> = {
    clock,
    allow(cost = 1, at = clock.now()) {
      settle(checkAsk(cost, at))
      const isAllowed = counts.isBypassed || (!first && !rule.waitMs(cells, 0, cost, at))
      // Before listeners are called.
      if (isAllowed && !counts.isBypassed) take(cost, at)
      count(isAllowed, cost, at)
      return isAllowed
    },
    // A listener to a refusal may make room: it stays a refusal.
    decide: (cost = 1, at = clock.now()) =>
      decisionOf(
        limiter.allow(cost, at) ? 0 : limiter.peek(cost, at).retryAfterMs || 1,
        limiter.remaining(at),
      ),
    peek: (cost = 1, at = clock.now()) => decisionOf(...look(cost, at)),
    remaining: (at = clock.now()) => look(0, at)[1],
    reserve(cost = 1, at = clock.now()) {
      settle(checkAsk(cost, at))
      const perMs = rule.ratePerSecond / 1000
      const [waitMs] = look(cost, at)
      const ok = waitMs < Infinity
      let isTaken = ok && !counts.isBypassed
      const entry: Entry & Reservation = {
        ok,
        cost,
        at: at + waitMs,
        delay: (from = clock.now()) => Math.max(entry.at - checkAsk(0, from), 0),
        cancel(from = clock.now()) {
          settle(checkAsk(0, from))
          if (isTaken && from <= entry.at && !leave(entry)) {
            // Gives back what was not promised to later reservations, as Go does.
            const laterMs = lastEvent - entry.at
            const restored = cost - laterMs * perMs
            if (cost > 0 && restored > 0) {
              rule.book(cells, 0, -restored, from)
              const eventBefore = entry.at - cost / perMs
              if (Math.abs(laterMs) < SAME_MS && eventBefore >= from) lastEvent = eventBefore
            }
          }
          isTaken = false
          serve(clock.now())
        },
      }
      if (isTaken) {
        if (first || (waitMs > 0 && !rule.costsAddUp)) join(entry, at)
        else {
          take(cost, at)
          lastEvent = entry.at
        }
      }
      count(ok, cost, at)
      return entry
    },
    wait: (cost = 1, { signal, timeoutMs = Infinity } = {}) =>
      new Promise<void>((resolve, reject: (reason: unknown) => void) => {
        const now = clock.now()
        settle(checkAsk(cost, now))
        check(timeoutMs >= 0, 'timeoutMs >= 0', timeoutMs)
        if (signal?.aborted) throw reasonOf(signal)
        const stopListening =
          signal &&
          onAbort(signal, (reason) => {
            leave(entry)
            reject(reason)
            serve(clock.now())
          })
        const entry: Entry = {
          cost,
          at: now + timeoutMs,
          end(code, retryAfterMs = Infinity) {
            leave(entry)
            stopListening?.()
            count(!code, cost, now)
            if (code) reject(new RateLimitError(code, `Wait refused: ${code}`, retryAfterMs))
            else resolve()
          },
        }
        if (over || counts.isBypassed) entry.end!(over)
        else {
          join(entry, now)?.()
          if (counts.waiting === 1) serve(now)
          else notify()
        }
      }),
    configure(changes, at = clock.now()) {
      settle(checkAsk(0, at))
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
      const refusals = [...queue].filter(leave).map((entry) => join(entry, at, SAME_MS))
      // Last: a listener to a refusal may end the waits that stay.
      for (const refuse of refusals) refuse?.()
      serve(at)
    },
    bypass(isOn) {
      bypass(isOn)
      if (isOn) endAll()
    },
    snapshot,
    subscribe,
    [Symbol.dispose]() {
      endAll((over = 'disposed'))
    },
  }
  return [limiter, count, serve]
}
