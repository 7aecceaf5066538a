import { tokenBucket } from '../core/rules/token-bucket.ts'
import { createPace, type Pace } from './pace.ts'
import { createPassLog } from './pass-log.ts'

/** What is thought to be the server's limit. */
interface Estimate {
  readonly ratePerSecond: number
  readonly burst: number
}

/** A pace that is learnt from refusals: from what a server let through before it said no. */
export interface LearntPace {
  /** Undefined as long as there is nothing to go by. */
  readonly estimate: Estimate | undefined
  readyAt: (now: number) => number
  sent: (now: number) => void
  /** A request sent at `sentAt` was not refused. */
  passed: (sentAt: number) => void
  /** One sent at `sentAt` was, as the first since the gate opened, which is to open again at `opensAt`. */
  refused: (sentAt: number, opensAt: number) => void
}

/** So few passes say nothing of a limit. */
const TELLING = 4
/** Where the search for the rate begins, as a multiple of what has passed with the pause that came of it. */
const FROM = 1.5
/** And goes on, at most, from one refusal to the next. */
const MOST_STEP = 4
/** While it is searched for, the rate grows e-fold in so many requests. */
const SEARCH = 14
/** Once found, it is kept below by this; when it has held for a while it grows over it, the later the faster. */
const BELOW = 0.96
const CURVE = 4
/** That while, in pauses as long as the last, or of a second: one for so many passes that the rate was told from. */
const KNOWING = 4
const LEAST_PATIENCE = 4.5
const MOST_PATIENCE = 12
/** After a limit has fallen it is tried sooner whether it has recovered. */
const HASTE = 0.6
/** A refusal after less than this of the burst is no matter of rounding: the limit has fallen. */
const FALLEN = 0.7
/** A longer rest, or a shorter pause, says nothing more. */
const IDLE_MS = 1000

/**
 * Whatever the limit is, at most burst + rate · T passes in a time T; and when it refuses, just that has passed in some T
 * before. A refusal soon after a rest so tells the burst, and a later one the rate. Until then the rate is searched for,
 * upward from what is known to pass.
 */
export function createLearntPace(): LearntPace {
  let log = createPassLog()
  let bucket: Pace | undefined
  let rate = Infinity
  let burst = Infinity
  let found = 0 // The rate that the pace was last set by.
  let peak = 0 // The rate that there was before the limit fell.
  let isSearching = true
  let wasRefused = false
  let seen = 0 // Passes between refusals.
  let pauseMs = 0
  let patience = 0
  let heldMs = 0 // For how long the rate has held something back since it was found.
  let lastAt = 0

  function search(ratePerSecond: number): void {
    rate = ratePerSecond
    isSearching = true
  }

  function hold(ratePerSecond: number, passes: number): void {
    found = ratePerSecond
    rate = BELOW * found
    isSearching = false
    heldMs = 0
    patience =
      Math.min(MOST_PATIENCE, Math.max(passes / KNOWING, LEAST_PATIENCE)) * (found < peak ? HASTE : 1)
  }

  function grown(): number {
    if (isSearching) return rate * (1 + 1 / SEARCH)
    return found * (BELOW + (1 - BELOW) * (heldMs / (patience * Math.max(pauseMs, IDLE_MS))) ** CURVE)
  }

  /** Lets the bucket follow what is known, with `level` in it. One token less than the server's, for it may be full already. */
  function follow(now: number, level: number): void {
    const most = Math.max(burst - 1, 1)
    const rule = tokenBucket({ ratePerSecond: rate, burst: most })
    bucket ??= createPace(rule, now)
    bucket.change(rule, now, Math.min(level, most))
  }

  /** What a refusal says after `passes` in `ms`, while the rate is searched for. */
  function narrow(passes: number, ms: number, least: number): void {
    if (passes < burst + log.enough) {
      // What came in that time is not of the burst; but so short a time tells that roughly.
      const within = Math.min((log.rateShown(Math.min(burst, passes)) * ms) / 1000, passes / 2)
      burst = Math.max(Math.min(burst, passes - within), 1)
    }
    const shown = log.rateShown(burst)
    if (shown > 0) hold(shown, passes - burst)
    else search(Math.max(least, Math.min(rateOf(passes - burst, ms), MOST_STEP * least)))
  }

  /** What it says when the rate had been found. */
  function correct(passes: number, ms: number): void {
    const before = Math.max(passes - (rate * ms) / 1000, 1)
    if (passes >= burst + log.enough && ms > 0) hold(rateOf(passes - burst, ms), passes - burst)
    else if (before > FALLEN * burst) burst = Math.min(burst, before)
    else {
      peak = rate
      burst = Math.max(burst / 2, 1)
      log = createPassLog()
      search(rate / 2)
    }
  }

  return {
    get estimate() {
      return bucket && { ratePerSecond: rate, burst }
    },
    readyAt: (now) => (bucket ? bucket.readyAt(now) : now),
    sent(now) {
      // After a rest the server's bucket is full again: the time before it says nothing of the rate.
      const isRested = bucket && now - lastAt > IDLE_MS && bucket.level(now) >= Math.max(burst - 1, 1)
      if (isRested) log.rests()
      log.sent(now)
      if (!bucket) return
      // Only a rate that holds something back is put to the test.
      if (bucket.level(now) < 2) {
        heldMs += Math.min(now - lastAt, IDLE_MS)
        rate = grown()
        follow(now, bucket.level(now))
      }
      lastAt = now
      bucket.take(now)
    },
    passed: (sentAt) => log.passed(sentAt),
    refused(sentAt, opensAt) {
      pauseMs = Math.max(opensAt - sentAt, 1)
      // What is older than the pause is not what the server counts.
      const { passes, ms } = log.ends(sentAt, bucket ? -Infinity : sentAt - pauseMs)
      const known = Math.max(passes / (ms + pauseMs), 1 / pauseMs) * 1000
      if (bucket) {
        if (isSearching) narrow(passes, ms, FROM * known)
        else correct(passes, ms)
      } else {
        // What has passed in a calm before the first refusal says nothing.
        if (wasRefused) seen += passes
        wasRefused = true
        if (Math.max(passes, seen) < TELLING) return
        burst = Math.max(passes - (known * ms) / 1000, 1)
        search(FROM * known)
      }
      follow(opensAt, (rate * pauseMs) / 1000)
    },
  }
}

/** Per second; 0 if all came at once. */
const rateOf = (count: number, ms: number): number => (ms > 0 ? (count / ms) * 1000 : 0)
