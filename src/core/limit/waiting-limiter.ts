import { onAbort, reasonOf } from '../shared/abort.ts'
import { check } from '../shared/check.ts'
import { adviseOnRule } from '../shared/develop.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { isBelieved } from '../time/alarm.ts'
import { LONGEST_MS } from '../time/clock.ts'
import {
  checkAsk,
  decisionOf,
  limiterParts,
  type Limiter,
  type LimiterOptions,
  type LimiterSnapshot,
} from './limiter.ts'
import { aboveZero, exactWait, SLACK_MS, type Rule, type RuleChanges } from './rules/rule.ts'

/** A booking: its cost is taken, to be used at its instant. */
export interface Reservation {
  /** Whether it could be booked. If not, nothing was taken: the limit never allows that cost. */
  readonly ok: boolean
  /** The instant at which to act. Infinity if not `ok`. */
  readonly at: number
  /** How long after `at` (default: now) to act, in ms: 0 if at once, Infinity if not `ok`. */
  delay: (at?: number) => number
  /** Before its instant, gives back what was not promised to later reservations. After it, or a second time, it does nothing. */
  cancel: (at?: number) => void
}

export interface WaitOptions {
  /** Aborting it ends the wait at once; the promise rejects with its reason. */
  signal?: AbortSignal | undefined
  /** The longest wait, in ms, from 0. @default Infinity */
  timeoutMs?: number | undefined
}

/** The state of a limit that one can wait for. The same object as long as nothing changed but the level. */
export interface WaitingLimiterSnapshot extends LimiterSnapshot {
  /** How many wait. */
  readonly waiting: number
}

/** A limiter that also books ahead and lets callers wait. `allow` and `decide` do not overtake waiting calls. */
export interface WaitingLimiter<Changes = RuleChanges> extends Limiter<Changes> {
  /** Books `cost` after all that came earlier, and says when to act. */
  reserve: (cost?: number, at?: number) => Reservation
  /**
   * Resolves when `cost` is allowed. First come, first served.
   *
   * The limit holds for the instants at which promises resolve. When a caller continues is up to the event loop: after a task of 50
   * ms the callers of two windows of 10 per 100 ms may continue together. To limit what is sent, start it from the limit itself:
   * see `createQueue`.
   *
   * Rejects with a `RateLimitError` (code 'wait-too-long') at once, and takes nothing, if the wait would last for ever or
   * beyond `timeoutMs`, or when a `configure` makes it so; when disposed of (code 'disposed'); with `signal.reason` in the tick in
   * which that aborts, and those behind move up.
   *
   * O(1); with `timeoutMs` O(n), with n waiting, behind reservations, and where costs do not add up (windows).
   */
  wait: (cost?: number, options?: WaitOptions) => Promise<void>
  /** As `Limiter.configure`; pending waits get new turns, each at the cost of a `wait`. */
  configure: (changes: Changes, at?: number) => void
  snapshot: () => WaitingLimiterSnapshot
  /** Rejects all waits, now and from now on. What needs no wait is decided as before. */
  [Symbol.dispose]: () => void
}

/** An entry of the queue: a waiting caller, or a reservation, which has its instant. */
interface Entry {
  readonly cost: number
  /** The instant of a reservation; the latest one that a caller waits for. */
  at: number
  /** Resolves the wait, or rejects it. A reservation has none. */
  readonly end?: (code?: RateLimitErrorCode, retryAfterMs?: number) => void
}

/** Two instants so near each other at `at` are the same but for rounding. */
const rounding = (at: number): number => SLACK_MS + Math.abs(at) * 2 ** -50

/**
 * As `createLimiter`, and callers may book ahead with `reserve`, or `wait` for their turn. Keeps a timer only while a caller
 * waits.
 *
 * A waiting caller takes when its turn has come, not before: after a late timer, as in a hidden tab, no more callers continue at
 * once than the limit allows. A reservation takes at once where costs add up, and gives back, as in Go's x/time/rate; else, or
 * behind waiting callers, it is queued and takes at its instant.
 */
export const createWaitingLimiter = <Changes = RuleChanges>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
): WaitingLimiter<Changes> => {
  adviseOnRule('createWaitingLimiter', rule, options)
  return waitingParts(rule, options)[0]
}

/** A waiting limiter, with its functions that count a decision and resolve the due waits, for `allOf`, which decides by itself. */
export function waitingParts<Changes>(
  firstRule: Rule<Changes>,
  options?: LimiterOptions,
): [
  limiter: WaitingLimiter<Changes>,
  count: (isAllowed: boolean, cost: number, at: number) => void,
  serve: (now: number) => void,
] {
  const [limiter, baseCounts, state, count, notify] = limiterParts(firstRule, options)
  const { clock, allow, configure, bypass } = limiter
  const counts = Object.assign(baseCounts, { waiting: 0 })
  let [rule, cells] = state()
  const queue = new Set<Entry>()
  // Moves with the first entry: a search from the beginning is slow where many have left.
  let turns: Iterator<Entry, undefined>
  let first: Entry | undefined
  // The sum of the costs in the queue.
  let owed = 0
  // The latest instant at which something was allowed or promised to act: Go's `lastEvent`.
  let lastEvent = -Infinity
  let stopTimer: (() => void) | undefined
  let isDisposed = false

  const ruleWaitMs = (cost: number, at: number, then = cells): number => exactWait(rule, then, 0, cost, at)

  function join(entry: Entry): void {
    queue.add(entry)
    owed += entry.cost
    if (entry.end) counts.waiting++
    if (!first) {
      turns = queue.values()
      first = turns.next().value
    }
  }

  /** Returns whether `entry` was in the queue. */
  function leave(entry: Entry): boolean {
    if (!queue.delete(entry)) return false
    owed = queue.size && owed - entry.cost
    if (entry.end) counts.waiting--
    if (entry === first) first = turns.next().value
    return true
  }

  /** Lets a caller join, or ends its wait if that would be longer than it may. */
  function enter(entry: Entry, at: number, slackMs = 0): void {
    // How long exactly matters only with a deadline.
    const waitMs = entry.at < Infinity ? lastWaitMs(entry.cost, at) : ruleWaitMs(entry.cost, at)
    if (waitMs === Infinity || at + waitMs > entry.at + slackMs) entry.end!('wait-too-long', waitMs)
    else join(entry)
  }

  function take(cost: number, at: number): void {
    lastEvent = at
    rule.book(cells, 0, cost, at)
  }

  /** Sets the limit back, as `into`, if the clock was set back; returns by how many ms. */
  function setBack(into: Float64Array, at: number): number {
    const backMs = Math.max(into[rule.takenAtCell]! - at, 0)
    if (backMs > 0) rule.book(into, 0, 0, at)
    return backMs
  }

  /** Takes for the due reservations. All reservations are set back with the clock. */
  function settle(at: number): void {
    const backMs = setBack(cells, at)
    if (backMs > 0) for (const entry of queue) if (!entry.end) entry.at -= backMs
    while (first && !first.end && first.at <= at) {
      take(first.cost, Math.max(first.at, cells[rule.takenAtCell]!))
      leave(first)
    }
  }

  /** The cells after all entries of the queue have taken, and the turn of the last one. */
  function walk(at: number): [then: Float64Array, turnAt: number] {
    let turnAt = -Infinity
    if (!first) return [cells, turnAt]
    const then = cells.slice()
    if (rule.costsAddUp && queue.size === counts.waiting) rule.book(then, 0, owed, at)
    else {
      const backMs = setBack(then, at)
      for (const { cost, at: actAt, end } of queue) {
        turnAt = Math.max(turnAt, end ? at : actAt - backMs)
        if (end) turnAt += ruleWaitMs(cost, turnAt, then)
        rule.book(then, 0, cost, turnAt)
      }
    }
    return [then, turnAt]
  }

  /** The wait of `cost` at the end of the queue. */
  function lastWaitMs(cost: number, at: number): number {
    if (counts.isBypassed) return 0
    const [then, turnAt] = walk(at)
    const from = Math.max(turnAt, at)
    const ownMs = ruleWaitMs(cost, from, then)
    let waitMs = from - at + ownMs
    while (at + waitMs < from + ownMs) waitMs *= 1 + 2 ** -52
    // After a late timer there is room, but for the waiting callers.
    return counts.waiting > 0 ? aboveZero(waitMs) : waitMs
  }

  /** Resolves the waits whose turn has come, rejects those whose turn never comes, and sets the timer for the next turn. */
  function serve(now: number): void {
    let turnMs = 0
    // With reservations only, the instants that callers gave stay, however far from the clock's they are.
    while (counts.waiting > 0) {
      settle(now)
      const { cost, at, end } = first!
      turnMs = end ? ruleWaitMs(cost, now) : at - now
      if (!end || (turnMs > 0 && turnMs < Infinity)) break
      leave(first!)
      if (turnMs > 0) end('wait-too-long')
      else {
        take(cost, now)
        end()
      }
    }
    stopTimer?.()
    stopTimer =
      counts.waiting > 0 ? clock.after(Math.min(turnMs, LONGEST_MS), () => wake(now, turnMs)) : undefined
    notify()
  }

  function wake(from: number, turnMs: number): void {
    const now = clock.now()
    // The timer shows that the turn has come, though the clock stands still or was set back: by the time that the limit has.
    const last = Math.min(cells[rule.takenAtCell]!, from)
    if (first && turnMs <= LONGEST_MS && !isBelieved(now, from, from + turnMs))
      serve(first.end ? last + ruleWaitMs(first.cost, last) : first.at)
    settle(now)
    serve(now)
  }

  /** Resolves all waits, or rejects them. */
  function endAll(code?: RateLimitErrorCode): void {
    for (const entry of [...queue]) if (entry.end && leave(entry)) entry.end(code)
    serve(clock.now())
  }

  return [
    Object.assign(limiter as WaitingLimiter<Changes>, {
      allow(cost = 1, at = clock.now()) {
        checkAsk(cost, at)
        settle(at)
        const isAllowed = (!first || counts.isBypassed) && allow(cost, at)
        if (isAllowed) lastEvent = at
        else if (first) count(false, cost, at)
        return isAllowed
      },
      decide: (cost = 1, at = clock.now()) =>
        decisionOf(limiter.allow(cost, at) ? 0 : lastWaitMs(cost, at), limiter.remaining(at)),
      peek(cost = 1, at = clock.now()) {
        checkAsk(cost, at)
        return decisionOf(lastWaitMs(cost, at), limiter.remaining(at))
      },
      remaining(at = clock.now()) {
        checkAsk(0, at)
        const [then, turnAt] = walk(at)
        return turnAt <= at && !counts.waiting
          ? rule.level(then, 0, at)
          : Math.min(rule.level(cells, 0, at) - owed, 0)
      },
      reserve(cost = 1, at = clock.now()) {
        checkAsk(cost, at)
        settle(at)
        const { ratePerSecond, costsAddUp } = rule
        const waitMs = lastWaitMs(cost, at)
        const entry: Entry = { cost, at: at + waitMs }
        const ok = waitMs < Infinity
        let isTaken = ok && !counts.isBypassed
        if (isTaken) {
          if (first || !(costsAddUp || waitMs === 0)) join(entry)
          else {
            take(cost, at)
            lastEvent = entry.at
          }
        }
        count(ok, cost, at)
        return {
          ok,
          get at() {
            return entry.at
          },
          delay: (from = clock.now()) => Math.max(entry.at - checkAsk(0, from), 0),
          cancel(from = clock.now()) {
            checkAsk(0, from)
            if (isTaken && from <= entry.at && !leave(entry)) {
              // Gives back what was not promised to later reservations, exactly as Go does.
              const { at: actAt } = entry
              const keptMs = costsAddUp && ratePerSecond < Infinity ? lastEvent - actAt : 0
              const restored = cost - (keptMs * ratePerSecond) / 1000
              if (cost > 0 && restored > 0) {
                rule.book(cells, 0, -restored, from)
                const eventBefore = actAt - (cost * 1000) / ratePerSecond
                // The same instant but for rounding; Go counts nanoseconds.
                if (Math.abs(lastEvent - actAt) <= rounding(actAt) && eventBefore >= from)
                  lastEvent = eventBefore
              }
            }
            isTaken = false
            serve(clock.now())
          },
        }
      },
      wait: (cost = 1, { signal, timeoutMs = Infinity } = {}) =>
        new Promise<void>((resolve, reject: (reason: unknown) => void) => {
          const now = clock.now()
          checkAsk(cost, now)
          check(timeoutMs >= 0, 'timeoutMs >= 0', timeoutMs)
          if (signal?.aborted) throw reasonOf(signal)
          const stopListening =
            signal &&
            onAbort(signal, (reason) => {
              leave(entry)
              reject(reason)
              serve(clock.now())
            })
          const end: Entry['end'] = (code, retryAfterMs = Infinity) => {
            stopListening?.()
            count(!code, cost, now)
            if (code) reject(new RateLimitError(code, `Not waited for: ${code}`, retryAfterMs))
            else resolve()
          }
          const entry: Entry = { cost, at: now + timeoutMs, end }
          if (isDisposed) end('disposed')
          else if (counts.isBypassed) end()
          else {
            settle(now)
            enter(entry, now)
            if (counts.waiting === 1) serve(now)
            else notify()
          }
        }),
      configure(changes, at = clock.now()) {
        checkAsk(0, at)
        settle(at)
        configure(changes, at)
        ;[rule, cells] = state()
        const entries = [...queue]
        entries.forEach(leave)
        for (const entry of entries)
          if (entry.end) enter(entry, at, rounding(at))
          else join(entry)
        serve(at)
      },
      bypass(isOn) {
        bypass(isOn)
        if (isOn) endAll()
      },
      [Symbol.dispose]() {
        isDisposed = true
        endAll('disposed')
      },
    } satisfies Partial<WaitingLimiter<Changes>>),
    count,
    serve,
  ]
}
