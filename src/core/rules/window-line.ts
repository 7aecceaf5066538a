import { exactWait } from './exact-wait.ts'
import { createFifo } from './fifo.ts'
import type { Place } from './place.ts'
import type { Line, Rule } from './rule.ts'

/**
 * A line for a rule without debt: a place takes when its turn has come, or a reservation's instant. Until then nobody
 * behind it takes. Who comes last is told when it is its turn by going through those before it, once.
 */
export function createWindowLine<Changes>(rule: Rule<Changes>, from: number): Line<Changes> {
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, from)
  // Kept beside the rule: the call then needs no look-up, and can be inlined.
  let { take } = rule
  const places = createFifo<Place>()
  let waiting = 0
  // How things are when all up to `last` have taken, if they take when they may; the first who waits, at `turnAt`.
  let end: { cells: Float64Array; at: number; last: Place | undefined; turnAt: number } | undefined

  function endOfLine(at: number): NonNullable<typeof end> {
    const backMs = Math.max(cells[0]! - at, 0)
    // Whose turn has come and who was not woken yet takes now, not then.
    if (backMs > 0 || (end && at > end.turnAt)) end = undefined
    const line = end ?? { cells: cells.slice(), at: cells[0]!, last: undefined, turnAt: Infinity }
    if (backMs > 0) rule.book(line.cells, 0, 0, (line.at = at))
    for (let place = line.last ? line.last.behind : places.first; place; place = place.behind) {
      if (place.wake) {
        line.at = Math.max(line.at, at)
        line.at += exactWait(rule, line.cells, 0, place.cost, line.at)
        line.turnAt = Math.min(line.turnAt, line.at)
      } else line.at = Math.max(line.at, place.at - backMs)
      rule.book(line.cells, 0, place.cost, line.at)
      line.last = place
    }
    end = backMs > 0 ? undefined : line
    return line
  }

  /** How long `cost` would wait as the last in line. */
  function waitMs(cost: number, at: number): number {
    if (!places.first) return exactWait(rule, cells, 0, cost, at)
    const line = endOfLine(at)
    const from = Math.max(line.at, at)
    const turnAt = from + exactWait(rule, line.cells, 0, cost, from)
    let ms = turnAt - at
    while (at + ms < turnAt) ms *= 1 + 2 ** -52
    return ms
  }

  function drop(place: Place): void {
    places.remove(place)
    end = undefined
  }

  /** Takes for those whose turn has come, and wakes them. If the clock was set back, reservations go back with it. */
  function settle(at: number): void {
    const backMs = cells[0]! - at
    if (backMs > 0 && places.first) {
      rule.book(cells, 0, 0, at)
      for (let place: Place | undefined = places.first; place; place = place.behind) place.at -= backMs
      end = undefined
    }
    for (let { first } = places; first; { first } = places) {
      if (first.wake ? !rule.take(cells, 0, first.cost, at) : first.at > at) return
      if (first.wake) waiting--
      else rule.book(cells, 0, first.cost, Math.max(first.at, cells[0]!))
      drop(first)
      first.wake?.()
    }
  }

  return {
    get rule() {
      return rule
    },
    get waiting() {
      return waiting
    },
    take(cost, at) {
      if (places.first) settle(at)
      return !places.first && take(cells, 0, cost, at)
    },
    waitMs,
    level(at) {
      if (!places.first) return rule.level(cells, 0, at)
      const then = cells.slice()
      let owed = 0
      for (let place: Place | undefined = places.first; place; place = place.behind) {
        if (owed === 0 && !place.wake && place.at <= at) rule.book(then, 0, place.cost, place.at)
        else owed += place.cost
      }
      const level = rule.level(then, 0, at)
      return owed === 0 ? level : Math.min(level - owed, 0)
    },
    join(place, at) {
      settle(at)
      if (place.wake) waiting++
      else place.at = at + waitMs(place.cost, at)
      if (place.wake || place.at > at || places.first) places.push(place)
      else rule.book(cells, 0, place.cost, at)
    },
    leave(place, at) {
      if (place.wake) waiting--
      else if (at > place.at) return
      if (places.has(place)) places.remove(place)
      else if (place.cost > 0) rule.book(cells, 0, -place.cost, at)
      end = undefined
      place.wake = undefined
      place.cost = 0
    },
    serve(at) {
      settle(at)
      const { first } = places
      if (!first || waiting === 0) return Infinity
      return first.wake ? at + exactWait(rule, cells, 0, first.cost, at) : first.at
    },
    reconfigure(changes, at) {
      settle(at)
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
      take = rule.take
      end = undefined
    },
    each(at, tell) {
      const then = cells.slice()
      let turnAt = at
      for (let place = places.first, next; place; place = next) {
        // It may leave when it is told.
        next = place.behind
        turnAt += Math.max(place.wake ? exactWait(rule, then, 0, place.cost, turnAt) : place.at - turnAt, 0)
        if (place.wake) tell(place, turnAt)
        if (places.has(place)) rule.book(then, 0, place.cost, turnAt)
        else turnAt = Math.max(at, then[0]!)
      }
    },
  }
}
