import { exactWait } from './exact-wait.ts'
import { createFifo } from './fifo.ts'
import type { Place } from './place.ts'
import type { Line, Rule } from './rule.ts'

/**
 * A line for a rule with debt: whoever joins takes at once, and so the level falls below 0. Who comes later finds that, and
 * so waits for its turn; whose turn has come is who would not be in debt if nobody had come after.
 *
 * What a reservation that is cancelled gives back, and when it was promised, is as in Go's x/time/rate.
 */
export function createDebtLine<Changes>(rule: Rule<Changes>, from: number): Line<Changes> {
  let cells: Float64Array = new Float64Array(rule.cells)
  rule.start(cells, 0, from)
  // Kept beside the rule: the call then needs no look-up, and can be inlined.
  let { take } = rule
  // Those who wait, and the reservations made while they do.
  const line = createFifo<Place>()
  let waiting = 0
  // What those in line have taken.
  let owed = 0
  // The instant for which something was last taken for good, by a reservation or at once. A number in a closure would be
  // allocated anew at each decision.
  const promised = Float64Array.of(-Infinity)

  /** When it is the turn of who has `behind` taken after it. */
  const turnMs = (behind: number, at: number): number => exactWait(rule, cells, 0, -behind, at)

  /**
   * How much of what `place` took stays promised to reservations made after it. Below 0, as in Go, where the rate was
   * raised and takings have come before its instant since: then those have been paid for twice.
   */
  function promisedAfter(place: Place, at: number): number {
    const lastPromised = promised[0]!
    if (!place.wake) return Math.min(tokensIn(lastPromised - place.at, place.ratePerSecond), place.cost)
    if (lastPromised <= at) return 0
    let behind = 0
    for (let other = place.behind; other; other = other.behind) behind += other.cost
    const kept = tokensIn(lastPromised - at - turnMs(behind, at), rule.ratePerSecond)
    return Math.max(Math.min(kept, place.cost), 0)
  }

  /** Takes `place` out of line. What it has taken is not given back. */
  function drop(place: Place): void {
    line.remove(place)
    owed -= place.cost
    if (waiting > 0) return
    while (line.first) line.remove(line.first)
    owed = 0
  }

  return {
    get rule() {
      return rule
    },
    get waiting() {
      return waiting
    },
    take(cost, at) {
      if (!take(cells, 0, cost, at)) return false
      promised[0] = at
      return true
    },
    waitMs: (cost, at) => exactWait(rule, cells, 0, cost, at),
    level: (at) => rule.level(cells, 0, at),
    join(place, at) {
      if (place.wake) waiting++
      else {
        place.promisedBefore = promised[0]!
        promised[0] = place.at = at + exactWait(rule, cells, 0, place.cost, at)
        place.ratePerSecond = rule.ratePerSecond
      }
      rule.book(cells, 0, place.cost, at)
      if (waiting === 0) return
      owed += place.cost
      line.push(place)
    },
    leave(place, at) {
      if (!place.wake && at > place.at) return
      const { cost, wake } = place
      const isInLine = line.has(place)
      const kept = isInLine ? Math.max(promisedAfter(place, at), 0) : promisedAfter(place, at)
      rule.book(cells, 0, kept - cost, at)
      // The last promise is now the one before, if that is still to come.
      if (!wake && place.at === promised[0]) promised[0] = Math.max(place.promisedBefore, at)
      if (wake) waiting--
      place.wake = undefined
      place.cost = kept
      if (!isInLine) return
      owed += kept - cost
      const { behind } = place
      drop(place)
      if (kept === 0 || waiting === 0) return
      // What stays promised stays in line, before the reservation that it is promised to: those between move up.
      let next = behind
      while (next?.wake) next = next.behind
      owed += kept
      line.push(place, next)
    },
    serve(at) {
      // Time goes on from here even if the clock was set back.
      rule.book(cells, 0, 0, at)
      for (let { first } = line; first; { first } = line) {
        const ms = turnMs(owed - first.cost, at)
        if (ms > 0) return at + ms
        if (first.wake) waiting--
        drop(first)
        first.wake?.()
      }
      return Infinity
    },
    reconfigure(changes, at) {
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
      take = rule.take
    },
    each(at, tell) {
      let behind = owed
      for (let place = line.first, next; place; place = next) {
        // It may leave when it is told.
        next = place.behind
        behind -= place.cost
        if (place.wake) tell(place, at + turnMs(behind, at))
      }
    },
  }
}

const tokensIn = (ms: number, ratePerSecond: number): number => (ms === 0 ? 0 : (ms * ratePerSecond) / 1000)
