import { exactWait } from './exact-wait.ts'
import { append, isLinked, unlink, type Place, type Places } from './places.ts'
import { aboveZero, type Line, type Rule } from './rule.ts'

/**
 * A line for a rule without debt: a place takes when its turn has come, or a reservation's instant. Until then nobody
 * behind it takes. Who comes last is told when it is its turn by going through those before it, once.
 */
export function createWindowLine<Changes>(rule: Rule<Changes>, from: number): Line<Changes> {
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, from)
  const places: Places = { first: undefined, last: undefined }
  let waiting = 0
  // How things are when all up to `last` have taken, if they take when they may.
  let end: { cells: Float64Array; at: number; last: Place | undefined } | undefined

  function endOfLine(at: number): NonNullable<typeof end> {
    end ??= { cells: cells.slice(), at: Math.max(at, cells[0]!), last: undefined }
    for (let place = end.last ? end.last.next : places.first; place; place = place.next) {
      const turnMs = place.wake ? exactWait(rule, end.cells, 0, place.cost, end.at) : place.at - end.at
      end.at += Math.max(turnMs, 0)
      rule.book(end.cells, 0, place.cost, end.at)
      end.last = place
    }
    return end
  }

  const asLast: Pick<Rule, 'waitMs'> = {
    waitMs(ownCells, offset, cost, at) {
      if (!places.first) return rule.waitMs(ownCells, offset, cost, at)
      const line = endOfLine(at)
      const from = Math.max(line.at, at)
      const waitMs = rule.waitMs(line.cells, 0, cost, from)
      return from > at || waitMs > 0 ? aboveZero(from + waitMs - at) : 0
    },
  }

  function drop(place: Place): void {
    unlink(places, place)
    end = undefined
  }

  /** Takes for the reservations whose instant has come. If the clock was set back, they go back with it. */
  function settle(at: number): void {
    const backMs = cells[0]! - at
    if (backMs > 0 && places.first) {
      rule.book(cells, 0, 0, at)
      for (let place: Place | undefined = places.first; place; place = place.next) place.at -= backMs
      end = undefined
    }
    for (let { first } = places; first && !first.wake && first.at <= at; { first } = places) {
      rule.book(cells, 0, first.cost, Math.max(first.at, cells[0]!))
      drop(first)
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
      return !places.first && rule.take(cells, 0, cost, at)
    },
    waitMs: (cost, at) => exactWait(asLast, cells, 0, cost, at),
    level(at) {
      if (!places.first) return rule.level(cells, 0, at)
      const then = cells.slice()
      let owed = 0
      for (let place: Place | undefined = places.first; place; place = place.next) {
        if (owed === 0 && !place.wake && place.at <= at) rule.book(then, 0, place.cost, place.at)
        else owed += place.cost
      }
      const level = rule.level(then, 0, at)
      return owed === 0 ? level : Math.min(level - owed, 0)
    },
    join(place, at) {
      settle(at)
      if (place.wake) waiting++
      else place.at = at + exactWait(asLast, cells, 0, place.cost, at)
      if (place.wake || place.at > at) append(places, place)
      else rule.book(cells, 0, place.cost, at)
    },
    leave(place, at) {
      if (place.wake) waiting--
      else if (at > place.at) return
      if (isLinked(places, place)) drop(place)
      else rule.book(cells, 0, -place.cost, at)
      place.wake = undefined
      place.cost = 0
    },
    serve(at) {
      settle(at)
      while (places.first?.wake && rule.take(cells, 0, places.first.cost, at)) {
        const { first } = places
        waiting--
        drop(first)
        first.wake!()
        settle(at)
      }
      const { first } = places
      if (!first || waiting === 0) return Infinity
      return first.wake ? at + exactWait(rule, cells, 0, first.cost, at) : first.at
    },
    reconfigure(changes, at) {
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
      end = undefined
    },
    each(at, tell) {
      const then = cells.slice()
      let turnAt = at
      for (let place = places.first; place; place = place.next) {
        turnAt += Math.max(place.wake ? exactWait(rule, then, 0, place.cost, turnAt) : place.at - turnAt, 0)
        if (place.wake) tell(place, turnAt)
        if (isLinked(places, place)) rule.book(then, 0, place.cost, turnAt)
        else turnAt = Math.max(at, then[0]!)
      }
    },
  }
}
