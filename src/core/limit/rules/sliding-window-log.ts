import { check } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import type { WindowChanges, WindowOptions } from './fixed-window.ts'
import { aboveZero, changed, sumOf, type Rule } from './rule.ts'

/** The cells after the instant of the last try: the number of entries, the place and the instant of the oldest one, */
const SIZE = 1
const FIRST = 2
const OLDEST = 3
/** the sum of the costs before it, and the sum of all costs. */
const BEFORE = 4
const SUM = 5
const HEADER = 6

/**
 * Remembers each allowed cost for `windowMs`, so that at most `limit` passes in any window of that length, wherever it begins.
 *
 * A cost of c is allowed while c plus the costs of the entries with t − at < windowMs is at most `limit`; an entry that is exactly
 * windowMs old is out. Entries (the instant, and the sum of costs up to it) are kept in a ring of `limit` places. So a decision takes
 * O(1) on average and a reading O(log limit), with 16 bytes for each of `limit`. If costs below 1 fill the ring, the newest entries
 * are merged into one at the later instant.
 *
 * @throws RangeError for a limit below 0, a window not above 0.
 */
export function slidingWindowLog(options: WindowOptions): Rule<WindowChanges> {
  return create(options, 1)
}

/** @param least the minimum number of places in the ring. */
function create(options: WindowOptions, least: number): Rule<WindowChanges> {
  adviseOnOptions('slidingWindowLog', options)
  const { limit, windowMs } = options
  check(limit >= 0, 'limit >= 0', limit)
  check(windowMs > 0, 'windowMs > 0', windowMs)
  const places = limit < Infinity ? Math.max(Math.floor(limit), least) : least

  /** Returns the cell of the instant of the entry `index` after the oldest. The next cell has the sum of costs up to it. */
  function entry(cells: Float64Array, offset: number, index: number): number {
    const place = (cells[offset + FIRST]! | 0) + (index | 0)
    return offset + HEADER + 2 * (place < places ? place : place - places)
  }

  const through = (cells: Float64Array, offset: number, index: number): number =>
    index < 0 ? cells[offset + BEFORE]! : cells[entry(cells, offset, index) + 1]!

  /** Whether the entry is in the window at `now`. */
  const isIn = (cells: Float64Array, offset: number, index: number, now: number): boolean =>
    now - cells[entry(cells, offset, index)]! < windowMs

  /** Whether `cost` fits once the entry is out. */
  const fits = (cells: Float64Array, offset: number, index: number, cost: number): boolean =>
    cells[offset + SUM]! - through(cells, offset, index) + cost <= limit

  /** Returns the index of the first entry for which `isIt` holds, or else the number of entries. */
  function firstOf(cells: Float64Array, offset: number, isIt: typeof fits, value: number): number {
    let low = 0
    let high = cells[offset + SIZE]!
    // It is usually one of the oldest: the first steps are short.
    for (let step = 0; low < high; step += step + 1) {
      const middle = Math.min(low + step, (low + high) >>> 1)
      if (isIt(cells, offset, middle, value)) high = middle
      else low = middle + 1
    }
    return low
  }

  function used(cells: Float64Array, offset: number, at: number): number {
    const oldest = firstOf(cells, offset, isIn, Math.max(at, cells[offset]!))
    return cells[offset + SUM]! - through(cells, offset, oldest - 1)
  }

  function setBack(cells: Float64Array, offset: number, at: number): void {
    const backMs = cells[offset]! - at
    cells[offset] = at
    cells[offset + OLDEST]! -= backMs
    for (let index = 0; index < cells[offset + SIZE]!; index++) cells[entry(cells, offset, index)]! -= backMs
  }

  /** Removes the entries that are out at `at`; there is at least one. */
  function forget(cells: Float64Array, offset: number, at: number): void {
    const ring = offset + HEADER
    let first = cells[offset + FIRST]! | 0
    let size = cells[offset + SIZE]! | 0
    let before = 0
    for (; size > 0 && at - cells[ring + 2 * first]! >= windowMs; size--) {
      before = cells[ring + 2 * first + 1]!
      first = first + 1 < places ? first + 1 : 0
    }
    cells[offset + FIRST] = first
    cells[offset + SIZE] = size
    cells[offset + OLDEST] = size > 0 ? cells[ring + 2 * first]! : Infinity
    // Sums begin at 0 again when nothing is left, so that they stay small.
    cells[offset + BEFORE] = size > 0 ? before : 0
    if (size === 0) cells[offset + SUM] = 0
  }

  /** Moves the cells to the instant `at`. If the clock was set back, the entries move back with it. */
  function move(cells: Float64Array, offset: number, at: number): void {
    if (at < cells[offset]!) setBack(cells, offset, at)
    else if (at - cells[offset + OLDEST]! >= windowMs) forget(cells, offset, at)
  }

  /** Adds `cost`, after a `move`. */
  function enter(cells: Float64Array, offset: number, cost: number, at: number): void {
    const size = cells[offset + SIZE]! | 0
    // The entry of the last taking may have been given back.
    const isSame =
      size > 0 && (size === places || (cells[offset] === at && cells[entry(cells, offset, size - 1)] === at))
    const index = isSame ? size - 1 : size
    const place = entry(cells, offset, index)
    cells[offset] = cells[place] = at
    cells[place + 1] = cells[offset + SUM] = sumOf(cells[offset + SUM]!, cost)
    cells[offset + SIZE] = index + 1
    if (index === 0) cells[offset + OLDEST] = at
  }

  /** Takes `cost` off the newest entries, and removes those that have none left. */
  function giveBack(cells: Float64Array, offset: number, cost: number): void {
    const sum = Math.max(cells[offset + SUM]! - cost, cells[offset + BEFORE]!)
    let size = cells[offset + SIZE]! | 0
    while (size > 0 && through(cells, offset, size - 2) >= sum) size--
    cells[offset + SIZE] = size
    cells[offset + SUM] = sum
    if (size > 0) cells[entry(cells, offset, size - 1) + 1] = sum
    else cells[offset + OLDEST] = Infinity
  }

  return {
    cells: HEADER + 2 * places,
    takenAtCell: 0,
    costsAddUp: false,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
    start(cells, offset, at) {
      cells[offset] = at
      cells.fill(0, offset + SIZE, offset + HEADER)
      cells[offset + OLDEST] = Infinity
    },
    book(cells, offset, cost, at) {
      move(cells, offset, at)
      if (cost > 0) enter(cells, offset, cost, at)
      else if (cost < 0) giveBack(cells, offset, -cost)
    },
    waitMs(cells, offset, cost, at) {
      const sum = cells[offset + SUM]!
      if (sum - cells[offset + BEFORE]! + cost <= limit) return 0
      // The instant of the last entry that must be out first: usually the oldest one. Infinity without entries.
      let lastAt = cells[offset + OLDEST]!
      if (sum - through(cells, offset, 0) + cost > limit) {
        if (cost > limit) return Infinity
        lastAt = cells[entry(cells, offset, firstOf(cells, offset, fits, cost))]!
      }
      const now = Math.max(at, cells[offset]!)
      return now - lastAt < windowMs ? aboveZero(lastAt + windowMs - now) : 0
    },
    level: (cells, offset, at) => limit - used(cells, offset, at),
    isFresh: (cells, offset, at) => used(cells, offset, at) <= 0,
    reconfigure(changes, cells, at) {
      move(cells, 0, at)
      const size = cells[SIZE]!
      // All entries keep their instants, because a later change may raise the limit again.
      const next = create(changed(options, changes), Math.max(size, 1))
      const nextCells = new Float64Array(next.cells)
      next.start(nextCells, 0, at)
      for (let index = 0; index < size; index++) {
        const cost = through(cells, 0, index) - through(cells, 0, index - 1)
        next.book(nextCells, 0, cost, cells[entry(cells, 0, index)]!)
      }
      return [next, nextCells]
    },
  }
}
