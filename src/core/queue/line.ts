import { createFifo } from './fifo.ts'
import type { Line } from './line-types.ts'
import type { Place } from './place.ts'
import { exactWait } from '../limit/rules/exact-wait.ts'
import type { Rule } from '../limit/rules/rule.ts'

/**
 * Who waits takes when it is served, not before: if timers are late, as in a hidden tab, there are no more tokens then than
 * there ever are. A reservation takes at once where the rule has debt, as in Go's x/time/rate, and gives back as there; else,
 * or behind who waits, it stands in line and takes at its instant.
 */
export function createLine<Changes>(rule: Rule<Changes>, from: number): Line<Changes> {
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, from)
  // Kept beside the rule: the call then needs no look-up, and can be inlined.
  let { take } = rule
  const line = createFifo<Place>()
  let waiting = 0
  // What those in line are to take.
  let owed = 0
  // The instant for which something was last taken for good, by a reservation or at once. A number in a closure would be
  // allocated anew at each decision.
  const promised = Float64Array.of(-Infinity)
  // How things are when all up to `last` have taken, if they take when they may; the first who waits, at `turnAt`.
  let end: { cells: Float64Array; at: number; last: Place | undefined; turnAt: number } | undefined

  function endOfLine(at: number): { cells: Float64Array; at: number } {
    if (rule.hasDebt && line.size === waiting) {
      // Each waits until what is owed before it has come: no need to go through them.
      const then = cells.slice()
      rule.book(then, 0, owed, at)
      return { cells: then, at }
    }
    const backMs = Math.max(cells[0]! - at, 0)
    // Whose turn has come and who was not woken yet takes now, not then.
    if (backMs > 0 || (end && at > end.turnAt)) end = undefined
    const then = end ?? { cells: cells.slice(), at: cells[0]!, last: undefined, turnAt: Infinity }
    if (backMs > 0) rule.book(then.cells, 0, 0, (then.at = at))
    for (let place = then.last ? then.last.behind : line.first; place; place = place.behind) {
      if (place.wake) {
        then.at = Math.max(then.at, at)
        then.at += exactWait(rule, then.cells, 0, place.cost, then.at)
        then.turnAt = Math.min(then.turnAt, then.at)
      } else then.at = Math.max(then.at, place.at - backMs)
      rule.book(then.cells, 0, place.cost, then.at)
      then.last = place
    }
    end = backMs > 0 ? undefined : then
    return then
  }

  function waitMs(cost: number, at: number): number {
    if (!line.first) return exactWait(rule, cells, 0, cost, at)
    const then = endOfLine(at)
    const start = Math.max(then.at, at)
    const turnAt = start + exactWait(rule, then.cells, 0, cost, start)
    let ms = turnAt - at
    while (at + ms < turnAt) ms *= 1 + 2 ** -52
    return ms
  }

  function drop(place: Place): void {
    line.remove(place)
    owed = line.first ? owed - place.cost : 0
    end = undefined
  }

  /** Takes for good, for a reservation. */
  function book(place: Place, at: number): void {
    place.promisedBefore = promised[0]!
    promised[0] = place.at
    rule.book(cells, 0, place.cost, at)
  }

  /** Gives back what a reservation has taken, but for what later ones have been promised. */
  function giveBack({ cost, at: bookedAt, ratePerSecond, promisedBefore }: Place, at: number): void {
    const keptMs = rule.hasDebt ? promised[0]! - bookedAt : 0
    // As in Go, it may be below 0 where the rate was changed: what was taken since has been paid for twice.
    const least = ratePerSecond === rule.ratePerSecond ? 0 : -Infinity
    const kept = keptMs === 0 ? 0 : Math.min(Math.max((keptMs * ratePerSecond) / 1000, least), cost)
    rule.book(cells, 0, kept - cost, at)
    if (bookedAt === promised[0]) promised[0] = Math.max(promisedBefore, at)
  }

  /** Takes for the reservations that are first and whose instant has come. If the clock was set back, all go back with it. */
  function settle(at: number): void {
    const backMs = cells[0]! - at
    if (backMs > 0 && line.first) {
      rule.book(cells, 0, 0, at)
      for (let place: Place | undefined = line.first; place; place = place.behind) place.at -= backMs
      end = undefined
    }
    for (let { first } = line; first && !first.wake && first.at <= at; { first } = line) {
      drop(first)
      book(first, Math.max(first.at, cells[0]!))
    }
  }

  function turnAt(at: number): number {
    const first = line.first!
    return first.wake ? at + exactWait(rule, cells, 0, first.cost, at) : first.at
  }

  return {
    rule: () => rule,
    waiting: () => waiting,
    take(cost, at) {
      if (line.first) settle(at)
      if (line.first || !take(cells, 0, cost, at)) return false
      promised[0] = at
      return true
    },
    waitMs,
    leastMs: (cost, at) =>
      rule.hasDebt && line.size === waiting ? waitMs(cost, at) : rule.waitMs(cells, 0, cost, at),
    level(at) {
      const level = rule.level(cells, 0, at)
      if (!line.first) return level
      const then = cells.slice()
      let rest = owed
      for (let place = line.first; !place.wake && place.at <= at; place = place.behind) {
        rule.book(then, 0, place.cost, Math.max(place.at, then[0]!))
        rest -= place.cost
        if (!place.behind) return rule.level(then, 0, at)
      }
      return Math.min(rule.level(then, 0, at) - rest, 0)
    },
    join(place, at) {
      settle(at)
      // What is promised is counted from here.
      if (at < cells[0]!) rule.book(cells, 0, 0, at)
      if (place.wake) waiting++
      else {
        place.at = at + waitMs(place.cost, at)
        place.ratePerSecond = rule.ratePerSecond
        if (!line.first && (rule.hasDebt || place.at <= at)) {
          book(place, at)
          return
        }
      }
      owed += place.cost
      line.push(place)
    },
    leave(place, at) {
      if (place.wake) waiting--
      else if (at > place.at) return
      if (line.has(place)) drop(place)
      else if (place.cost > 0) giveBack(place, at)
    },
    serve(at) {
      settle(at)
      // Time goes on from here even if the clock was set back.
      if (at < cells[0]!) rule.book(cells, 0, 0, at)
      while (line.first?.wake && take(cells, 0, line.first.cost, at)) {
        const { first } = line
        waiting--
        drop(first)
        first.wake!()
        settle(at)
      }
      return waiting > 0 ? turnAt(at) : Infinity
    },
    turnAt: () => turnAt(cells[0]!),
    reconfigure(changes, at) {
      settle(at)
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
      take = rule.take
      end = undefined
    },
    each(at, tell) {
      const then = cells.slice()
      let turnAt = at
      for (let place = line.first, next; place; place = next) {
        // It may leave when it is told.
        next = place.behind
        const before = turnAt
        turnAt += Math.max(place.wake ? exactWait(rule, then, 0, place.cost, turnAt) : place.at - turnAt, 0)
        if (place.wake) tell(place, turnAt)
        if (line.has(place)) rule.book(then, 0, place.cost, turnAt)
        else turnAt = before
      }
    },
  }
}
