import { createOrderedQueue } from '../queue/ordered-queue.ts'
import { onAbort, reasonOf, throwIfAborted } from '../shared/abort.ts'
import { check } from '../shared/check.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { notifyAll } from '../shared/store.ts'
import { LONGEST_MS } from '../time/clock.ts'
import {
  checkAsk,
  limiterParts,
  type Decision,
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
  /** Up to its instant, gives back what later reservations have not been promised; then, or a second time, nothing. */
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

/** A limit whose callers may also book ahead and wait. `allow` and `decide` do not overtake waiting calls. */
export interface WaitingLimiter<Changes = RuleChanges> extends Limiter<Changes> {
  /** Books `cost` after all that came earlier, and says when to act. */
  reserve: (cost?: number, at?: number) => Reservation
  /**
   * Resolves when `cost` is allowed, first come, first served.
   *
   * The promise is that of an instant: at which it resolves, the limit had taken `cost`. When the caller continues is up to
   * the event loop: in a task of 50 ms the callers of two windows of 10 per 100 ms may continue together, each with a turn of
   * its own. A limit on what is sent belongs where it is sent: see `createQueue`.
   *
   * Rejects with a `RateLimitError` (code 'wait-too-long') at once, and takes nothing, if the wait would last for ever or
   * beyond `timeoutMs`, or when a `configure` makes it so; when disposed of (code 'disposed'); with `signal.reason` in the tick in which that aborts, and those behind move up.
   *
   * O(log n) with n that wait; with `timeoutMs` O(n) behind reservations, and where costs do not add up (windows).
   */
  wait: (cost?: number, options?: WaitOptions) => Promise<void>
  snapshot: () => WaitingLimiterSnapshot
  /** Rejects all waits, now and from now on. What needs no wait is decided as before. */
  [Symbol.dispose]: () => void
}

/** A place in the queue: of a caller that waits, or of a reservation, which was promised its instant. */
interface Entry {
  readonly cost: number
  /** The instant of a reservation; the latest one that a caller waits for. */
  at: number
  /** Lets a caller go, or rejects it. A reservation has none. */
  end?: (code?: RateLimitErrorCode, retryAfterMs?: number) => void
}

/** A platform timer that is so early by the clock proves that the clock does not move with the timers. */
const EARLY_MS = 2

/** Two instants so near each other at `at` are the same but for rounding. */
const rounding = (at: number): number => SLACK_MS + Math.abs(at) * 2 ** -50

/**
 * As `createLimiter`, and callers may book ahead with `reserve`, or `wait` for their turn. Keeps no timer but while someone
 * waits.
 *
 * A caller that waits takes when its turn has come, not before: late timers, as in a hidden tab, let no more go at once than
 * the limit ever does. A reservation takes at once where costs add up, as in Go's x/time/rate, and gives back as there; else,
 * or behind callers that wait, it stands in the queue and takes at its instant.
 */
export const createWaitingLimiter = <Changes = RuleChanges>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
): WaitingLimiter<Changes> => waitingParts(rule, options)[0]

/**
 * A waiting limiter, and how it counts a decision.
 *
 * @param watch for a limit that others change too: called while someone waits, with what to call at each change; the function
 * returned ends that. Turns cannot be foreseen then: a wait ends when its time is over.
 */
export function waitingParts<Changes>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
  watch?: (serve: () => void) => () => void,
): [limiter: WaitingLimiter<Changes>, count: (isAllowed: boolean, cost: number, at: number) => void] {
  let cells: Float64Array
  const [limiter, count, listeners] = limiterParts(kept(rule), options)
  const { clock } = limiter
  const queue = createOrderedQueue<Entry>()
  let waiting = 0
  // The sum of the costs in the queue.
  let owed = 0
  // The latest instant at which something was allowed or promised to act: Go's `lastEvent`.
  let lastEvent = -Infinity
  let stopTimer: (() => void) | undefined
  let unwatch: (() => void) | undefined
  let isBypassed = false
  let isDisposed = false
  let base: LimiterSnapshot | undefined
  let shown: WaitingLimiterSnapshot | undefined

  /** The rule for the limiter below, which keeps hold of what that limiter has. */
  function kept(next: Rule<Changes>): Rule<Changes> {
    rule = next
    return {
      ...next,
      start(own, offset, at) {
        cells = own
        next.start(own, offset, at)
      },
      reconfigure(changes, own, at) {
        const [changedRule, changedCells] = next.reconfigure(changes, own, at)
        cells = changedCells
        return [kept(changedRule), cells]
      },
    }
  }

  const setBackMs = (at: number): number => Math.max(cells[rule.takenAtCell]! - at, 0)

  function join(entry: Entry): void {
    queue.add(entry)
    owed += entry.cost
    if (entry.end && ++waiting === 1) unwatch = watch?.(() => serve(clock.now()))
  }

  /** Whether `entry` was in the queue. */
  function leave(entry: Entry): boolean {
    if (!queue.remove(entry)) return false
    owed = queue.first() ? owed - entry.cost : 0
    if (entry.end && --waiting === 0) unwatch?.()
    return true
  }

  /** Takes for the reservations that are first and whose instant has come. If the clock was set back, all go back with it. */
  function settle(at: number): void {
    const backMs = setBackMs(at)
    if (backMs > 0 && queue.first()) {
      rule.book(cells, 0, 0, at)
      for (const entry of queue.all()) if (!entry.end) entry.at -= backMs
    }
    for (let first = queue.first(); first && !first.end && first.at <= at; first = queue.first()) {
      leave(first)
      lastEvent = first.at
      rule.book(cells, 0, first.cost, Math.max(first.at, cells[rule.takenAtCell]!))
    }
  }

  /**
   * Goes through the queue with a copy of the cells, in which each takes at its turn but those that `isToGo`. Returns the copy,
   * and the turn of the last.
   */
  function walk(at: number, isToGo?: (entry: Entry, turnAt: number) => boolean): [Float64Array, number] {
    const then = cells.slice()
    const backMs = setBackMs(at)
    if (backMs > 0) rule.book(then, 0, 0, at)
    let turnAt = -Infinity
    for (const entry of queue.all()) {
      const from = Math.max(turnAt, entry.end ? at : entry.at - backMs)
      const next = entry.end ? from + exactWait(rule, then, 0, entry.cost, from) : from
      if (isToGo?.(entry, next)) continue
      turnAt = next
      rule.book(then, 0, entry.cost, turnAt)
    }
    return [then, turnAt]
  }

  /** How long `cost` would wait as the last in the queue. */
  function lastWaitMs(cost: number, at: number): number {
    if (!queue.first()) return exactWait(rule, cells, 0, cost, at)
    let then: Float64Array
    let from = at
    if (rule.costsAddUp && queue.size() === waiting) {
      rule.book((then = cells.slice()), 0, owed, at)
    } else {
      const [walked, turnAt] = walk(at)
      then = walked
      from = Math.max(turnAt, at)
    }
    const turnAt = from + exactWait(rule, then, 0, cost, from)
    let waitMs = turnAt - at
    while (at + waitMs < turnAt) waitMs *= 1 + 2 ** -52
    // Where a timer is late there may be room, for those who wait.
    return waiting > 0 ? aboveZero(waitMs) : waitMs
  }

  function level(at: number): number {
    if (!queue.first()) return limiter.remaining(at)
    const then = cells.slice()
    let rest = owed
    for (const entry of queue.all()) {
      if (entry.end || entry.at > at) return Math.min(rule.level(then, 0, at) - rest, 0)
      rule.book(then, 0, entry.cost, Math.max(entry.at, then[rule.takenAtCell]!))
      rest -= entry.cost
    }
    return rule.level(then, 0, at)
  }

  /** Lets those go whose turn has come, and sets the timer to the next turn. */
  function serve(now: number): void {
    // With nobody to serve the instants that callers gave stand, however far they are from the clock's.
    let turnMs = Infinity
    if (waiting > 0) {
      settle(now)
      if (setBackMs(now) > 0) rule.book(cells, 0, 0, now)
      let first = queue.first()
      while (first?.end && !rule.waitMs(cells, 0, first.cost, now)) {
        leave(first)
        take(first.cost, now)
        first.end()
        settle(now)
        first = queue.first()
      }
      if (first && waiting > 0)
        turnMs = first.end ? exactWait(rule, cells, 0, first.cost, now) : first.at - now
    }
    arm(now, turnMs)
    notifyAll(listeners)
  }

  function arm(from: number, delayMs: number): void {
    stopTimer?.()
    stopTimer = undefined
    if (delayMs < Infinity)
      stopTimer = clock.after(Math.min(delayMs, LONGEST_MS), () => {
        const now = clock.now()
        const first = queue.first()
        if (first && delayMs <= LONGEST_MS && (now <= from || from + delayMs - now >= EARLY_MS)) {
          // Its turn has come, whatever the clock says; then time goes on from what it says. A clock that was set back, and
          // a request since, may have taken the limit back: the turn is as the limit has time.
          const last = Math.min(cells[rule.takenAtCell]!, from)
          serve(first.end ? last + exactWait(rule, cells, 0, first.cost, last) : first.at)
        }
        serve(now)
      })
  }

  function take(cost: number, at: number): void {
    lastEvent = at
    rule.book(cells, 0, cost, at)
  }

  /** Gives back what a reservation took, but for what later ones have been promised; as Go does, to the letter. */
  function giveBack({ cost, at: actAt }: Entry, ratePerSecond: number, at: number): void {
    const keptMs = rule.costsAddUp && ratePerSecond < Infinity ? lastEvent - actAt : 0
    const restored = cost - (keptMs * ratePerSecond) / 1000
    if (!(cost > 0 && restored > 0)) return
    rule.book(cells, 0, -restored, at)
    const eventBefore = actAt - (cost * 1000) / ratePerSecond
    // The same instant but for rounding; Go counts nanoseconds.
    if (Math.abs(lastEvent - actAt) <= rounding(actAt) && eventBefore >= at) lastEvent = eventBefore
  }

  /** Lets all go who wait, or rejects them. */
  function endAll(code?: RateLimitErrorCode): void {
    for (const entry of queue.all()) if (entry.end && leave(entry)) entry.end(code)
    serve(clock.now())
  }

  function decision(cost: number, at: number): Decision {
    const retryAfterMs = lastWaitMs(cost, at)
    return {
      allowed: !retryAfterMs,
      retryAfterMs,
      remaining: Math.floor(Math.max(level(at) + 1e-9, 0)),
    }
  }

  function allow(cost = 1, at = clock.now()): boolean {
    checkAsk(cost, at)
    settle(at)
    const isAsked = isBypassed || !queue.first()
    const isAllowed = isAsked && limiter.allow(cost, at)
    if (isAllowed) lastEvent = at
    if (!isAsked) count(false, cost, at)
    return isAllowed
  }

  function peek(cost = 1, at = clock.now()): Decision {
    checkAsk(cost, at)
    return isBypassed || !queue.first() ? limiter.peek(cost, at) : decision(cost, at)
  }

  return [
    {
      ...limiter,
      allow,
      decide(cost = 1, at = clock.now()) {
        const isAllowed = allow(cost, at)
        const answer = peek(cost, at)
        return { ...answer, allowed: isAllowed, retryAfterMs: isAllowed ? 0 : answer.retryAfterMs }
      },
      peek,
      reserve(cost = 1, at = clock.now()) {
        const { retryAfterMs } = peek(cost, at)
        const { ratePerSecond } = rule
        const ok = retryAfterMs < Infinity
        let isTaken = ok && !isBypassed
        const entry: Entry = { cost, at: at + retryAfterMs }
        if (isTaken) {
          settle(at)
          // What is promised is counted from here.
          if (setBackMs(at) > 0) rule.book(cells, 0, 0, at)
          if (queue.first() || !(rule.costsAddUp || entry.at <= at)) join(entry)
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
            if (isTaken && from <= entry.at && !leave(entry)) giveBack(entry, ratePerSecond, from)
            isTaken = false
            serve(clock.now())
          },
        }
      },
      wait: (cost = 1, { signal, timeoutMs = Infinity } = {}) =>
        new Promise<void>((resolve, reject: (reason: unknown) => void) => {
          const since = clock.now()
          checkAsk(cost, since)
          check(timeoutMs >= 0, 'timeoutMs >= 0', timeoutMs)
          throwIfAborted(signal)
          let stopListening: (() => void) | undefined
          let stopDeadline: (() => void) | undefined
          const entry: Entry = {
            cost,
            at: since + timeoutMs,
            end(code, retryAfterMs = Infinity) {
              stopListening?.()
              stopDeadline?.()
              count(!code, cost, since)
              if (code) reject(new RateLimitError(code, `Not waited for: ${code}`, retryAfterMs))
              else resolve()
            },
          }
          settle(since)
          const isAlone = !queue.first()
          // How long exactly matters only with a timeout.
          const waitMs = isBypassed
            ? 0
            : isAlone || timeoutMs < Infinity
              ? lastWaitMs(cost, since)
              : rule.waitMs(cells, 0, cost, since)
          if (isDisposed) entry.end!('disposed')
          else if (waitMs === Infinity || since + waitMs > entry.at) entry.end!('wait-too-long', waitMs)
          else if (isBypassed) entry.end!()
          else {
            join(entry)
            if (watch && timeoutMs <= LONGEST_MS)
              stopDeadline = clock.after(timeoutMs, () => {
                const now = clock.now()
                serve(now)
                if (leave(entry)) entry.end!('wait-too-long', lastWaitMs(cost, now))
                serve(now)
              })
            if (signal)
              stopListening = onAbort(signal, () => {
                stopDeadline?.()
                leave(entry)
                reject(reasonOf(signal))
                serve(clock.now())
              })
            if (waiting === 1) serve(since)
            else notifyAll(listeners)
          }
        }),
      remaining: (at = clock.now()) => level(checkAsk(0, at)),
      configure(changes, at = clock.now()) {
        checkAsk(0, at)
        settle(at)
        limiter.configure(changes, at)
        const late: [Entry, number][] = []
        walk(at, (entry, turnAt) => {
          const isLate = !!entry.end && (turnAt === Infinity || turnAt - entry.at > rounding(turnAt))
          if (isLate) late.push([entry, turnAt - at])
          return isLate
        })
        for (const [entry, waitMs] of late) if (leave(entry)) entry.end!('wait-too-long', waitMs)
        serve(at)
      },
      bypass(isOn) {
        isBypassed = isOn
        limiter.bypass(isOn)
        if (isOn) endAll()
        else serve(clock.now())
      },
      snapshot() {
        const next = limiter.snapshot()
        if (next !== base || shown!.waiting !== waiting)
          shown = Object.freeze({
            ...(base = next),
            waiting,
            get level() {
              return level(clock.now())
            },
          })
        return shown!
      },
      [Symbol.dispose]() {
        isDisposed = true
        endAll('disposed')
      },
    },
    count,
  ]
}
