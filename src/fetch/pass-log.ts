/** When requests were sent that a server did not refuse, between one pause and the next. */
export interface PassLog {
  /** So many passes beyond the burst tell a rate. */
  readonly enough: number
  sent: (now: number) => void
  /** Begins anew: for a while nothing was held back. */
  rests: () => void
  passed: (sentAt: number) => void
  /** A request sent at `at` was refused. Answers how many passed until then, from `since` on, and in what time. */
  ends: (at: number, since: number) => { passes: number; ms: number }
  /** The highest rate per second that any time without a pause shows, given the burst; 0 if none is long enough. */
  rateShown: (burst: number) => number
}

const ENOUGH = 3
/** Passes that are remembered of a time between two pauses, and such times, with the one that lasts. */
const MOST_PASSES = 256
const MOST_RUNS = 4

export function createPassLog(): PassLog {
  // Of each time between two pauses, the newest last.
  let runs: number[][] = [[]]
  let from = Infinity

  return {
    enough: ENOUGH,
    sent(now) {
      if (from === Infinity) from = now
    },
    rests() {
      if (runs.at(-1)!.length === 0) return
      runs = [...runs, []].slice(-MOST_RUNS)
      from = Infinity
    },
    passed(sentAt) {
      // What was sent before the last pause is of the time before it.
      if (sentAt < from) return
      const run = runs.at(-1)!
      run.push(sentAt)
      if (run.length > 2 * MOST_PASSES) run.splice(0, MOST_PASSES)
    },
    ends(at, since) {
      const run = runs.at(-1)!.filter((one) => one <= at)
      run.sort((a, b) => a - b)
      runs = [...runs.slice(0, -1), run.slice(-MOST_PASSES), []].slice(-MOST_RUNS)
      from = Infinity
      const counted = run.filter((one) => one >= since)
      return { passes: counted.length, ms: at - (counted[0] ?? at) }
    },
    rateShown(burst) {
      const fewest = Math.ceil(burst) + ENOUGH
      let most = 0
      for (const run of runs)
        for (let first = 0; first < run.length; first++)
          for (let last = first + fewest - 1; last < run.length; last++) {
            const ms = run[last]! - run[first]!
            if (ms > 0) most = Math.max(most, ((last - first + 1 - burst) / ms) * 1000)
          }
      return most
    },
  }
}
