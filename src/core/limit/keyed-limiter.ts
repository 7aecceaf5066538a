import { check } from '../shared/check.ts'
import { adviseOnRule } from '../shared/develop.ts'
import { safely } from '../shared/report.ts'
import { notifyAll, type Observable } from '../shared/store.ts'
import { systemTimers, type Timers } from '../time/clock.ts'
import { createKeyedRows } from './keyed-rows.ts'
import { checkAsk, decisionOf, type Decision, type DeniedEvent, type LimiterSnapshot } from './limiter.ts'
import { exactWait, type Rule } from './rules/rule.ts'

export interface KeyedLimiterOptions {
  /** Above this number of keys, the least recently used one is forgotten: its limit starts again. @default 100_000 */
  maxKeys?: number | undefined
  /** A key that is unused for this long, in ms, is forgotten, whatever it took. @default Infinity */
  idleMs?: number | undefined
  /** The source of time, of which only `now` is used. @default systemClock */
  clock?: Pick<Timers, 'now'> | undefined
  /** Called with each refusal, synchronously. Errors it throws are reported. To log only some of them, see `sampled`. */
  onEvent?: ((event: KeyedDeniedEvent) => void) | undefined
}

export interface KeyedDeniedEvent extends DeniedEvent {
  key: string
}

/** The state of a keyed limiter. The same object while nothing has changed. */
export interface KeyedLimiterSnapshot extends Omit<LimiterSnapshot, 'level'> {
  /** The number of remembered keys. */
  readonly size: number
}

/** One limit for each key: a user, an address, a route. It never waits and keeps no timer. */
export interface KeyedLimiter extends Observable<KeyedLimiterSnapshot> {
  /** The source of time. */
  readonly clock: Pick<Timers, 'now'>
  /** Returns whether `cost` (at least 0, default 1) is allowed for `key`, and takes it if so. */
  allow: (key: string, cost?: number, at?: number) => boolean
  /** As `allow`, and returns when to try again. */
  decide: (key: string, cost?: number, at?: number) => Decision
  /** As `decide`, but takes nothing: `remaining` is what there is now. Not a use of the key. */
  peek: (key: string, cost?: number, at?: number) => Decision
  /** Takes `count`, at least 0, from `key` without a check, into debt. For a cost that is known later, or a penalty. */
  take: (key: string, count?: number, at?: number) => void
  /** Gives `count`, at least 0, back to `key`, but no more than was taken; with an `initial` below `burst`, up to `burst`. */
  giveBack: (key: string, count?: number, at?: number) => void
  /** Resets the limit of `key`. To set what is left, call `take` after it. Returns whether the key was remembered. */
  delete: (key: string) => boolean
  /** Resets all limits. */
  clear: () => void
  /** The number of remembered keys. A key whose limit equals a new one may be forgotten. */
  readonly size: number
  /** While it is on, everything is allowed and nothing is taken. For emergencies. */
  bypass: (isOn: boolean) => void
}

/** The number of keys that each use checks for removal. Above 1, because a use may add one. */
const SWEPT = 2

/** If the oldest key cannot be forgotten, it is not checked again for this time. */
const LOOK_MS = 1

/**
 * Creates a limiter for many keys, each with its own limit by `rule`. Keys whose limit equals a new one are forgotten, a few at each
 * use; this changes no decision. Besides the key itself, a key takes at most 72 bytes, at a million keys with a rule of two cells
 * (token bucket, GCRA, leaky bucket, fixed window).
 *
 * @throws RangeError for `maxKeys` below 1 or `idleMs` not above 0. Each call throws TypeError for a cost or an instant that is
 * not a number, RangeError for one out of range or NaN.
 */
export function createKeyedLimiter(rule: Rule<never>, options: KeyedLimiterOptions = {}): KeyedLimiter {
  const { maxKeys = 100_000, idleMs = Infinity, clock = systemTimers, onEvent } = options
  adviseOnRule('createKeyedLimiter', rule, options)
  check(maxKeys >= 1, 'maxKeys >= 1', maxKeys)
  check(idleMs > 0, 'idleMs > 0', idleMs)
  const rows = createKeyedRows(rule.cells, idleMs < Infinity)
  // The cells of a new limit, and its level.
  const fresh = new Float64Array(rule.cells)
  rule.start(fresh, 0, 0)
  const initial = rule.level(fresh, 0, 0)
  let allowed = 0
  let denied = 0
  let isBypassed = false
  // The instant at which the oldest key could not be forgotten.
  let lookedAt = -Infinity
  const listeners = new Set<() => void>()
  let shown: KeyedLimiterSnapshot | undefined

  function changed(): void {
    shown = undefined
    // The check keeps `allow` short enough to be inlined.
    if (listeners.size) notifyAll(listeners)
  }

  const isIdle = (row: number, at: number, notAfter = at): boolean =>
    idleMs < Infinity && at - rows.usedAt(row, notAfter) >= idleMs

  function isFresh(row: number, at: number): boolean {
    const cells = rows.cells(row)
    const offset = rows.offset(row)
    // Both must be full: a new limit that is not full begins later, and so has less.
    return rule.isFresh?.(cells, offset, at) ?? Math.min(rule.level(cells, offset, at), initial) >= rule.burst
  }

  function sweep(at: number): void {
    for (let left = SWEPT; left-- && Math.abs(at - lookedAt) >= LOOK_MS;) {
      const oldest = rows.oldest()
      if (oldest >= 0 && (isFresh(oldest, at) || isIdle(oldest, at))) rows.remove(oldest)
      else lookedAt = at
    }
  }

  /** Uses `key` and returns its row, a new one if there is none or if it is idle. */
  function rowOf(key: string, at: number): number {
    sweep(at)
    let row = rows.find(key)
    if (row === undefined && rows.size() >= maxKeys) rows.remove(rows.oldest())
    if (row === undefined || isIdle(row, at)) {
      row ??= rows.add(key)
      rule.start(rows.cells(row), rows.offset(row), at)
    }
    rows.use(row, at)
    return row
  }

  function book(key: string, count: number, at: number): void {
    const row = rowOf(key, at)
    rule.book(rows.cells(row), rows.offset(row), isBypassed ? 0 : count, at)
    changed()
  }

  function tryToTake(row: number, cost: number, at: number): boolean {
    const cells = rows.cells(row)
    const offset = rows.offset(row)
    const isAllowed = !rule.waitMs(cells, offset, cost, at)
    if (isAllowed || at < cells[offset + rule.takenAtCell]!)
      rule.book(cells, offset, isAllowed ? cost : 0, at)
    return isAllowed
  }

  function allow(key: string, cost = 1, at = clock.now()): boolean {
    checkAsk(cost, at)
    const isAllowed = isBypassed || tryToTake(rowOf(key, at), cost, at)
    shown = undefined
    if (isAllowed) allowed++
    else {
      denied++
      if (onEvent) safely(() => onEvent({ type: 'denied', key, cost, at }))
    }
    changed()
    return isAllowed
  }

  function decision(key: string, cost: number, at: number, isTaken?: boolean): Decision {
    const row = rows.find(key)
    let cells: Float64Array = fresh
    let offset = 0
    if (row === undefined || isIdle(row, at, Infinity)) rule.start(fresh, 0, at)
    else {
      cells = rows.cells(row)
      offset = rows.offset(row)
    }
    const retryAfterMs = isTaken || isBypassed ? 0 : exactWait(rule, cells, offset, cost, at)
    // A listener to a refusal may make room: it stays a refusal.
    return decisionOf(retryAfterMs || Number(isTaken === false), rule.level(cells, offset, at))
  }

  return {
    clock,
    allow,
    decide: (key, cost = 1, at = clock.now()) => decision(key, cost, at, allow(key, cost, at)),
    peek: (key, cost = 1, at = clock.now()) => decision(key, cost, checkAsk(cost, at)),
    take: (key, count = 1, at = clock.now()) => book(key, count, checkAsk(count, at)),
    giveBack: (key, count = 1, at = clock.now()) => book(key, -count, checkAsk(count, at)),
    delete(key) {
      const row = rows.find(key)
      if (row !== undefined) {
        rows.remove(row)
        changed()
      }
      return row !== undefined
    },
    clear() {
      rows.clear()
      changed()
    },
    get size() {
      return rows.size()
    },
    bypass(isOn) {
      isBypassed = isOn
      changed()
    },
    snapshot: () =>
      (shown ??= Object.freeze({
        ratePerSecond: rule.ratePerSecond,
        burst: rule.burst,
        allowed,
        denied,
        isBypassed,
        size: rows.size(),
      })),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
