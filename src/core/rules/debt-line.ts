import { exactWait } from './exact-wait.ts'
import { append, isLinked, unlink, type Place, type Places } from './places.ts'
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
  const places: Places = { first: undefined, last: undefined }
  let waiting = 0
  // What those behind the first have taken.
  let behind = 0
  // The instant for which something was last taken for good, by a reservation or at once. A number in a closure would be
  // allocated anew at each decision.
  const promised = Float64Array.of(-Infinity)

  const turnMs = (behindIt: number, at: number): number => exactWait(rule, cells, 0, -behindIt, at)

  /**
   * How much of what `place` took stays promised to reservations made after it. Below 0, as in Go, where the rate was
   * raised and takings have come before its instant since: then those have been paid for twice.
   */
  function promisedAfter(place: Place, at: number): number {
    const lastPromised = promised[0]!
    if (!place.wake) return Math.min(tokensIn(lastPromised - place.at, place.ratePerSecond), place.cost)
    if (lastPromised <= at) return 0
    let behindIt = 0
    for (let other = place.next; other; other = other.next) behindIt += other.cost
    const kept = tokensIn(lastPromised - at - turnMs(behindIt, at), rule.ratePerSecond)
    return Math.max(Math.min(kept, place.cost), 0)
  }

  /** Takes `place` out of the list. What it has taken is not given back. */
  function drop(place: Place): void {
    const wasFirst = places.first === place
    unlink(places, place)
    if (waiting === 0) {
      places.first = places.last = undefined
      behind = 0
    } else if (wasFirst) behind -= places.first!.cost
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
        promised[0] = place.at = at + exactWait(rule, cells, 0, place.cost, at)
        place.ratePerSecond = rule.ratePerSecond
      }
      rule.book(cells, 0, place.cost, at)
      if (waiting === 0) return
      if (places.first) behind += place.cost
      append(places, place)
    },
    leave(place, at) {
      if (!place.wake && (at > place.at || place.cost === 0)) return
      const { cost } = place
      const isInLine = isLinked(places, place)
      const kept = isInLine ? Math.max(promisedAfter(place, at), 0) : promisedAfter(place, at)
      rule.book(cells, 0, kept - cost, at)
      // As Go has it: the last promise is now that of the one before, as far as that can be told.
      const before = place.at - (cost * 1000) / place.ratePerSecond
      if (!place.wake && place.at === promised[0] && before >= at) promised[0] = before
      if (place.wake) waiting--
      place.wake = undefined
      place.cost = kept
      if (!isInLine) return
      if (places.first !== place) behind -= cost - kept
      // What stays promised keeps its place.
      if (kept === 0 || waiting === 0) drop(place)
    },
    serve(at) {
      // Time goes on from here even if the clock was set back.
      if (waiting > 0) rule.book(cells, 0, 0, at)
      while (places.first && rule.waitMs(cells, 0, -behind, at) === 0) {
        const { first } = places
        if (first.wake) waiting--
        drop(first)
        first.wake?.()
      }
      return places.first ? at + turnMs(behind, at) : Infinity
    },
    reconfigure(changes, at) {
      ;[rule, cells] = rule.reconfigure(changes, cells, at)
      take = rule.take
    },
    each(at, tell) {
      let behindIt = behind
      for (let place = places.first; place; place = place.next) {
        if (place.wake) tell(place, at + turnMs(behindIt, at))
        behindIt -= place.next?.cost ?? 0
      }
    },
  }
}

const tokensIn = (ms: number, ratePerSecond: number): number => (ms === 0 ? 0 : (ms * ratePerSecond) / 1000)
