import { onAbort, reasonOf, throwIfAborted } from '../shared/abort.ts'
import { check } from '../shared/check.ts'
import { RateLimitError, type RateLimitErrorCode } from '../shared/errors.ts'
import { notifyAll } from '../shared/store.ts'
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
   * O(1); with `timeoutMs` O(n), with n waiting, behind reservations, and where costs do not add up (windows).
   */
  wait: (cost?: number, options?: WaitOptions) => Promise<void>
  snapshot: () => WaitingLimiterSnapshot
  /** Rejects all waits, now and from now on. What needs no wait is decided as before. */
  [Symbol.dispose]: () => void
}

/** A place in the queue: of a caller that waits, or of a reservation, which has its instant. */
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
 * A caller that waits takes when its turn has come, not before: late timers, as in a hidden tab, let no more go at once than
 * the limit ever does. A reservation takes at once where costs add up, as in Go's x/time/rate, and gives back as there; else,
 * or behind callers that wait, it stands in the queue and takes at its instant.
 */
export const createWaitingLimiter = <Changes = RuleChanges>(
  rule: Rule<Changes>,
  options?: LimiterOptions,
): WaitingLimiter<Changes> => waitingParts(rule, options)[0]

/** A waiting limiter; how it counts a decision, and lets those go whose turn has come, for a part that decides by itself. */
export function waitingParts<Changes>(
  firstRule: Rule<Changes>,
  options?: LimiterOptions,
): [
  limiter: WaitingLimiter<Changes>,
  count: (isAllowed: boolean, cost: number, at: number) => void,
  serve: (now: number) => void,
] {
  const [limiter, state, count, listeners] = limiterParts(firstRule, options)
  const { clock } = limiter
  let [rule, cells] = state()
  const queue = new Set<Entry>()
  // Goes along with the first: to look for it from the beginning is slow where many have left.
  let turns: Iterator<Entry, undefined>
  let first: Entry | undefined
  let waiting = 0
  // The sum of the costs in the queue.
  let owed = 0
  // The latest instant at which something was allowed or promised to act: Go's `lastEvent`.
  let lastEvent = -Infinity
  let stopTimer: (() => void) | undefined
  let isBypassed = false
  let isDisposed = false
  let base: LimiterSnapshot | undefined
  let shown: WaitingLimiterSnapshot | undefined

  const setBackMs = (at: number): number => Math.max(cells[rule.takenAtCell]! - at, 0)

  function join(entry: Entry): void {
    queue.add(entry)
    owed += entry.cost
    if (entry.end) waiting++
    if (!first) {
      turns = queue.values()
      first = turns.next().value
    }
  }

  /** Returns whether `entry` was in the queue. */
  function leave(entry: Entry): boolean {
    if (!queue.delete(entry)) return false
    owed = queue.size && owed - entry.cost
    if (entry.end) waiting--
    if (entry === first) first = turns.next().value
    return true
  }

  function take(cost: number, at: number): void {
    lastEvent = at
    rule.book(cells, 0, cost, at)
  }

  /** Takes for the reservations that are due. If the clock was set back, the limit and all reservations go back with it. */
  function settle(at: number): void {
    const backMs = setBackMs(at)
    if (backMs > 0) {
      rule.book(cells, 0, 0, at)
      for (const entry of queue) if (!entry.end) entry.at -= backMs
    }
    while (first && !first.end && first.at <= at) {
      take(first.cost, Math.max(first.at, cells[rule.takenAtCell]!))
      leave(first)
    }
  }

  /**
   * The cells after each in the queue has taken at its turn, and the turn of the last. Of those that would wait too long, if
   * asked for, none takes: they are added to `late`.
   */
  function walk(at: number, late?: [Entry, waitMs: number][]): [then: Float64Array, turnAt: number] {
    let lastAt = -Infinity
    if (!first) return [cells, lastAt]
    const then = cells.slice()
    if (!late && rule.costsAddUp && queue.size === waiting) {
      rule.book(then, 0, owed, at)
      return [then, lastAt]
    }
    const backMs = setBackMs(at)
    if (backMs > 0) rule.book(then, 0, 0, at)
    for (const entry of queue) {
      let turnAt = Math.max(lastAt, entry.end ? at : entry.at - backMs)
      if (entry.end) turnAt += exactWait(rule, then, 0, entry.cost, turnAt)
      if (late && entry.end && (turnAt === Infinity || turnAt - entry.at > rounding(turnAt)))
        late.push([entry, turnAt - at])
      else rule.book(then, 0, entry.cost, (lastAt = turnAt))
    }
    return [then, lastAt]
  }

  /** How long `cost` waits as the last in the queue. */
  function lastWaitMs(cost: number, at: number): number {
    const [then, turnAt] = walk(at)
    const from = Math.max(turnAt, at)
    const ownMs = exactWait(rule, then, 0, cost, from)
    let waitMs = from - at + ownMs
    while (at + waitMs < from + ownMs) waitMs *= 1 + 2 ** -52
    // A late timer leaves room, but for callers that wait.
    return waiting > 0 ? aboveZero(waitMs) : waitMs
  }

  function level(at: number): number {
    if (waiting === 0) {
      const [then, turnAt] = walk(at)
      if (turnAt <= at) return rule.level(then, 0, at)
    }
    return Math.min(rule.level(cells, 0, at) - owed, 0)
  }

  /** Lets those go whose turn has come, rejects those whose turn never comes, and sets the alarm to the next turn. */
  function serve(now: number): void {
    let turnMs = Infinity
    // While only reservations are here, the instants that callers gave stand, however far they are from the clock's.
    while (waiting > 0) {
      settle(now)
      const { cost, at, end } = first!
      turnMs = end ? exactWait(rule, cells, 0, cost, now) : at - now
      if (!end || (turnMs > 0 && turnMs < Infinity)) break
      leave(first!)
      if (turnMs > 0) end('wait-too-long')
      else {
        take(cost, now)
        end()
      }
      turnMs = Infinity
    }
    stopTimer?.()
    stopTimer =
      turnMs < Infinity ? clock.after(Math.min(turnMs, LONGEST_MS), () => wake(now, turnMs)) : undefined
    notifyAll(listeners)
  }

  function wake(from: number, turnMs: number): void {
    const now = clock.now()
    // The timer shows that the turn has come, though the clock stands still or was set back: by the time that the limit has.
    const last = Math.min(cells[rule.takenAtCell]!, from)
    if (first && turnMs <= LONGEST_MS && !isBelieved(now, from, from + turnMs))
      serve(first.end ? last + exactWait(rule, cells, 0, first.cost, last) : first.at)
    settle(now)
    serve(now)
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
    for (const entry of [...queue]) if (entry.end && leave(entry)) entry.end(code)
    serve(clock.now())
  }

  function allow(cost = 1, at = clock.now()): boolean {
    checkAsk(cost, at)
    settle(at)
    if (first && !isBypassed) {
      count(false, cost, at)
      return false
    }
    const isAllowed = limiter.allow(cost, at)
    if (isAllowed) lastEvent = at
    return isAllowed
  }

  return [
    {
      ...limiter,
      allow,
      decide: (cost = 1, at = clock.now()) =>
        decisionOf(allow(cost, at) ? 0 : lastWaitMs(cost, at), level(at)),
      peek(cost = 1, at = clock.now()) {
        checkAsk(cost, at)
        return decisionOf(isBypassed ? 0 : lastWaitMs(cost, at), level(at))
      },
      remaining: (at = clock.now()) => level(checkAsk(0, at)),
      reserve(cost = 1, at = clock.now()) {
        checkAsk(cost, at)
        settle(at)
        const { ratePerSecond } = rule
        const waitMs = isBypassed ? 0 : lastWaitMs(cost, at)
        const entry: Entry = { cost, at: at + waitMs }
        const ok = waitMs < Infinity
        let isTaken = ok && !isBypassed
        if (isTaken) {
          if (first || !(rule.costsAddUp || waitMs === 0)) join(entry)
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
          const now = clock.now()
          checkAsk(cost, now)
          check(timeoutMs >= 0, 'timeoutMs >= 0', timeoutMs)
          throwIfAborted(signal)
          let stopListening: (() => void) | undefined
          const end: Entry['end'] = (code, retryAfterMs = Infinity) => {
            stopListening?.()
            count(!code, cost, now)
            if (code) reject(new RateLimitError(code, `Not waited for: ${code}`, retryAfterMs))
            else resolve()
          }
          if (isDisposed) return end('disposed')
          if (isBypassed) return end()
          settle(now)
          const entry: Entry = { cost, at: now + timeoutMs, end }
          // How long exactly matters only with a deadline.
          const waitMs = timeoutMs < Infinity ? lastWaitMs(cost, now) : rule.waitMs(cells, 0, cost, now)
          if (waitMs === Infinity || waitMs > timeoutMs) return end('wait-too-long', waitMs)
          join(entry)
          if (signal)
            stopListening = onAbort(signal, () => {
              leave(entry)
              reject(reasonOf(signal))
              serve(clock.now())
            })
          if (waiting === 1) serve(now)
          else notifyAll(listeners)
        }),
      configure(changes, at = clock.now()) {
        checkAsk(0, at)
        settle(at)
        limiter.configure(changes, at)
        ;[rule, cells] = state()
        const late: [Entry, number][] = []
        walk(at, late)
        for (const [entry, waitMs] of late) if (leave(entry)) entry.end!('wait-too-long', waitMs)
        serve(at)
      },
      bypass(isOn) {
        isBypassed = isOn
        limiter.bypass(isOn)
        if (isOn) endAll()
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
    serve,
  ]
}
