import { systemClock, type Clock } from '../time/clock.ts'
import { createKeyedRows } from './keyed-rows.ts'
import type { Decision, DeniedEvent } from './limiter-types.ts'
import { checkAbove, checkFrom } from './rules/check-number.ts'
import { exactWait } from './rules/exact-wait.ts'
import type { Rule } from './rules/rule.ts'
import { createWatchers } from '../shared/watchers.ts'

export interface KeyedLimiterOptions {
  /** Keys beyond this make the one used longest ago be forgotten; its limit is then as new. @default 100_000 */
  maxKeys?: number | undefined
  /** A key not used for this long, in ms, is forgotten, whatever it took. @default Infinity */
  idleMs?: number | undefined
  /** What tells the time. @default systemClock */
  clock?: Clock | undefined
  /** Told of each refusal, while it is made: it must not throw. To log a few of them, see `sampled`. */
  onEvent?: ((event: KeyedDeniedEvent) => void) | undefined
}

export interface KeyedDeniedEvent extends DeniedEvent {
  key: string
}

/** What a keyed limiter looks like. The same object as long as nothing changed. */
export interface KeyedLimiterSnapshot {
  readonly ratePerSecond: number
  readonly burst: number
  /** Keys remembered. */
  readonly size: number
  readonly allowed: number
  readonly denied: number
  readonly isBypassed: boolean
}

/** A limit for each key: a user, an address, a route. It never waits and keeps no timer. */
export interface KeyedLimiter {
  /** Whether `cost` (from 0, default 1) is allowed for `key`; takes it if so. */
  allow: (key: string, cost?: number, at?: number) => boolean
  /** As `allow`, and tells when to try again. */
  decide: (key: string, cost?: number, at?: number) => Decision
  /** What `decide` would answer. Takes nothing, and is no use of the key. */
  peek: (key: string, cost?: number, at?: number) => Decision
  /** Makes the limit of `key` as new. Answers whether there was anything to forget. */
  delete: (key: string) => boolean
  /** Makes all limits as new. */
  clear: () => void
  /** Keys remembered; those as good as new may or may not be. */
  readonly size: number
  /** While on, everything is allowed and nothing is taken: for emergencies. */
  bypass: (isOn: boolean) => void
  snapshot: () => KeyedLimiterSnapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
}

/** Keys looked at, at each use, for whether they can be forgotten: more than come new, so that they go. */
const SWEPT = 2

/** If the oldest cannot be forgotten, it is not looked at again for this long. */
const LOOK_MS = 1

/**
 * Limits how often something happens for each of many keys, by one `rule`. Keys that are as good as new are forgotten, a
 * few at each use, which nobody can tell. At most 72 bytes a key at a million of them beside the key itself, for a rule
 * of two cells (token bucket, GCRA, leaky bucket, fixed window). Source: seed 004; seed 001, appendix B.
 *
 * @throws RangeError for `maxKeys` below 1 or `idleMs` not above 0, and from each call for a cost below 0 or NaN.
 */
export function createKeyedLimiter<Changes>(
  rule: Rule<Changes>,
  { maxKeys = 100_000, idleMs = Infinity, clock = systemClock, onEvent }: KeyedLimiterOptions = {},
): KeyedLimiter {
  checkFrom(1, 'maxKeys', maxKeys)
  checkAbove(0, 'idleMs', idleMs)
  // The call then needs no look-up, and can be inlined.
  const { take, isFresh } = rule
  const rows = createKeyedRows(rule.cells, idleMs < Infinity)
  const unknown = new Float64Array(rule.cells)
  const { subscribe, notify } = createWatchers()
  let allowed = 0
  let denied = 0
  let isBypassed = false
  // When the oldest could not be forgotten.
  let lookedAt = -Infinity
  let last: KeyedLimiterSnapshot | undefined

  function check(cost: number, at: number): void {
    checkFrom(0, 'cost', cost)
    checkFrom(-Infinity, 'at', at)
  }

  const isIdle = (row: number, at: number, notAfter = at): boolean =>
    idleMs < Infinity && at - rows.usedAt(row, notAfter) >= idleMs

  const canGo = (row: number, at: number): boolean =>
    isFresh(rows.cells(row), rows.offset(row), at) || isIdle(row, at)

  function sweep(at: number): void {
    if (Math.abs(at - lookedAt) < LOOK_MS) return
    for (let left = SWEPT; left > 0; left--) {
      const oldest = rows.oldest()
      if (oldest < 0 || !canGo(oldest, at)) {
        lookedAt = at
        return
      }
      rows.remove(oldest)
    }
  }

  /** A row as new, in place of `known` if that is one. */
  function begin(key: string, known: number | undefined, at: number): number {
    if (known === undefined && rows.size() >= maxKeys) rows.remove(rows.oldest())
    const row = known ?? rows.add(key)
    rule.start(rows.cells(row), rows.offset(row), at)
    return row
  }

  /** The row of `key`, made if there is none. */
  function rowOf(key: string, at: number): number {
    sweep(at)
    const known = rows.find(key)
    return known === undefined || isIdle(known, at) ? begin(key, known, at) : known
  }

  function allow(key: string, cost = 1, at = clock.now()): boolean {
    if (!(cost >= 0 && at >= -Infinity)) check(cost, at)
    let isAllowed = isBypassed
    if (!isAllowed) {
      const row = rowOf(key, at)
      rows.use(row, at)
      isAllowed = take(rows.cells(row), rows.offset(row), cost, at)
    }
    if (isAllowed) allowed++
    else {
      denied++
      onEvent?.({ type: 'denied', key, cost, at })
    }
    notify()
    return isAllowed
  }

  function answer(key: string, cost: number, at: number, taken?: boolean): Decision {
    let row = rows.find(key)
    if (row !== undefined && isIdle(row, at, Infinity)) row = undefined
    if (row === undefined) rule.start(unknown, 0, at)
    const cells = row === undefined ? unknown : rows.cells(row)
    const offset = row === undefined ? 0 : rows.offset(row)
    const retryAfterMs = taken || isBypassed ? 0 : exactWait(rule, cells, offset, cost, at)
    const remaining = Math.max(Math.floor(rule.level(cells, offset, at) + 1e-9), 0)
    return { allowed: retryAfterMs === 0, retryAfterMs, remaining }
  }

  return {
    allow,
    decide(key, cost = 1, at = clock.now()) {
      return answer(key, cost, at, allow(key, cost, at))
    },
    peek(key, cost = 1, at = clock.now()) {
      check(cost, at)
      return answer(key, cost, at)
    },
    delete(key) {
      const row = rows.find(key)
      if (row === undefined) return false
      rows.remove(row)
      notify()
      return true
    },
    clear() {
      rows.clear()
      notify()
    },
    get size() {
      return rows.size()
    },
    bypass(isOn) {
      isBypassed = isOn
      notify()
    },
    snapshot() {
      const { ratePerSecond, burst } = rule
      const isSame =
        last?.size === rows.size() &&
        last.allowed === allowed &&
        last.denied === denied &&
        last.isBypassed === isBypassed
      if (!isSame)
        last = Object.freeze({ ratePerSecond, burst, size: rows.size(), allowed, denied, isBypassed })
      return last!
    },
    subscribe,
  }
}
