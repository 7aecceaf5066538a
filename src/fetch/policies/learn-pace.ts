import { check } from '../../core/shared/check.ts'
import type { Policy, PolicyHooks } from '../policy.ts'
import type { PaceSnapshot } from '../snapshot.ts'

export interface LearnPaceOptions {
  /** Maximum number of requests in flight at first, like TCP's initial window (RFC 6928). @default 8 */
  firstWindow?: number | undefined
}

/** A number of requests that passed, and the seconds in which they were sent. */
interface Count {
  passes: number
  seconds: number
}

/** The requests from the end of a cooldown to the next refusal. */
interface Run {
  from: number
  end: number
  passes: number
}

/** A run that a refusal has ended, and the cooldown that follows. */
interface EndedRun extends Run {
  opensAt: number
  /** Whether calls waited then. If so, the server limited the run, not the demand. */
  isBusy: boolean
  /** Whether the refused request had waited for the pace. */
  isPaced: boolean
  /** The sequence number of the refused request, the refusals of its event, and the passes of requests sent after it. */
  sequence: number
  refusals: number
  after: number
}

/** A refusal is a stray, not a sign of a limit, if more than this times its event's refusals were sent later and passed. */
const STRAY = 3
/** A run with fewer passes says nothing about a limit. */
const FEWEST = 4
/** So many runs that each end with a single refusal prove nothing: the refusals may be strays. */
const MOST_SINGLES = 2
/**
 * A pace is dropped if it serves less than this share of the rate served without one. The larger share applies once more than MANY
 * runs have set a rate: stray refusals can go on confirming one that is too low.
 */
const WORSE = 0.5
const WORSE_LATER = 0.75
const MANY = 3
/** The search begins at this share above the served rate, cooldowns included; after each miss at half of it. */
const START = 0.5
/** At a refusal, the server has about half a token. The margin, in tokens, allows for a burst that has shrunk. */
const HALF = 0.5
const MARGIN = 1.2
/** A found rate is multiplied by BELOW + RISE · x⁴, where x is the time since, in units of PATIENCE cooldowns. */
const BELOW = 0.995
const RISE = 0.03
const PATIENCE = 3.5
const HASTE = 0.6
/** A trial of a pace ends after this many refusals that its rate does not explain. Then the gate alone decides. */
const MOST_MISSES = 2
/** Requests by which other clients may be ahead of the pace. Each further one multiplies the rate by FASTER. */
const DEBT = 4
const FASTER = 1.05
const IDLE_MS = 1000
/** While calls wait, a longer time without a request is a sleep of the machine: so many seconds and intervals of the pace. */
const SLEPT = 9
/**
 * A full first window ends after two waits of this length without a response, so that a slow server does not delay calls. One is
 * not enough: after a long task of the page its timer may run before the responses are read.
 */
const FULL_MS = 75

/**
 * A policy that learns the server's rate from its refusals, and then sends at that rate. In a time t a token bucket admits
 * burst + rate · t requests: a short run from a cooldown to a refusal gives the burst, a long one the rate. Refusals that do not
 * fit, or a pace that serves less than no pace, end the trial. Then the gate alone decides, for longer each time. Before the first
 * refusal only a first window delays calls, and only without `concurrency`. Once the server names its limit in `RateLimit`, and
 * `rateLimitFields` reads it, that window ends, and refusals set no pace.
 *
 * @throws RangeError if `firstWindow` is below 1.
 */
export function learnPace({ firstWindow = 8 }: LearnPaceOptions = {}): Policy {
  check(firstWindow >= 1, 'learnPace firstWindow >= 1', firstWindow)

  return (bucket): PolicyHooks => {
    /** The first window: its width (Infinity: none), and the requests that passed in it. */
    let width: number
    let taken: number
    /** The waits while it is full, since the last response, and when the last of them ends. */
    let waits: number
    let fullUntil: number
    /** The current run, and the one before it until it is judged. */
    let run: Run | undefined
    let over: EndedRun | undefined
    /** When that run began, and all its passes, also those before an idle time. */
    let since: number
    let all: number
    /** Per second; Infinity: no pace. */
    let rate: number
    /** The rate found from two runs; 0 during the search. */
    let found: number
    let patience: number
    let heldSeconds: number
    /** The tokens at the instant `at`, and their maximum. */
    let level: number
    let at: number
    let burst: number
    /** The instants of the last request, and of the last one that waited for the pace. */
    let sentAt: number
    let pacedAt: number
    /** The instant at which other clients last raised the rate. */
    let raisedAt: number
    /**
     * Runs with too few passes that follow each other without a rest are joined into one, which needs twice as many passes: a limit
     * without a burst refuses the second request after each cooldown.
     */
    let few: Pick<Run, 'from' | 'passes'> | undefined
    /** The end of the last run's cooldown. */
    let openedAt: number
    /** The run with which the pace began, and which gives its burst. */
    let short: Count
    /** How many runs have set a rate. */
    let proofs: number
    /** The last run. */
    let last: Count | undefined
    /** What was served without a pace, cooldowns included. Each run counts twice as much as the one before. */
    let without: Count
    /** How many runs have ended with a single refusal while calls waited. */
    let singles: number
    /** Trials in a row that no rate explains, and the refusals to skip before the next trial. */
    let misses: number
    let skip: number
    let pace: PaceSnapshot | undefined
    /** Whether the last refusal may be a sign of a limit, and whether one before it was. */
    let maybeLimit: boolean | undefined
    let hasLimit: boolean | undefined

    function reset(): void {
      // What else a pace needs is set when it begins.
      run = over = last = pace = few = maybeLimit = hasLimit = undefined
      rate = Infinity
      misses = skip = proofs = singles = 0
      without = { passes: 0, seconds: 0 }
      startWindow()
    }

    function startWindow(): void {
      taken = waits = 0
      width = bucket.options.concurrency === Infinity ? firstWindow : Infinity
    }
    reset()

    /** Sets, keeps or ends the pace according to a run. */
    function judge({ from, end, passes, opensAt, isBusy, isPaced, refusals, after }: EndedRun): void {
      const restMs = from - openedAt
      openedAt = opensAt
      // A stray or a refused probe says nothing about a rate.
      if (after > STRAY * refusals || passes === after) return
      let least = FEWEST
      // A search takes the burst from the last run alone, since a joined run includes cooldowns.
      const own = { passes, seconds: (end - from) / 1000 }
      if (few && passes < FEWEST && restMs < IDLE_MS) {
        from = few.from
        passes += few.passes
        least *= 2
      }
      few = undefined
      const seconds = (end - from) / 1000
      const pause = Math.max(1, opensAt - end) / 1000
      const served = passes / (seconds + pause)
      const count = { passes, seconds }
      const before = last
      last = count

      /** Begins to pace at the rate `start`, with the burst that run `from` gives. `known` is the found rate, or 0. */
      function follow(from: Count, start: number, known: number): void {
        short = from
        found = known
        rate = start
        heldSeconds = 0
        patience = PATIENCE * Math.max(pause, 1) * (misses ? HASTE : 1)
        const size = Math.max(from.passes - (known || served) * from.seconds, 1)
        burst = Math.floor(size)
        at = opensAt
        level = Math.max(1, Math.min(burst, size - MARGIN, rate * pause))
      }
      const search = (): void => follow(own, (1 + START ** (misses + 1)) * served, 0)
      const hold = (a: Count, b: Count): void => {
        const known = Math.max((b.passes + HALF - a.passes) / (b.seconds - a.seconds), served)
        proofs++
        follow(a, BELOW * known, known)
      }

      if (rate === Infinity) {
        without.passes = without.passes / 2 + passes
        without.seconds = without.seconds / 2 + seconds + pause
        if (passes < least) {
          if (isBusy) few = { from, passes }
        } else if (skip > 0) skip--
        // Runs that were joined have a refusal each.
        else if (least === FEWEST && refusals === 1 && isBusy && singles < MOST_SINGLES) singles++
        else if (
          !misses &&
          before &&
          (isBusy || refusals > STRAY) &&
          before.passes > passes &&
          before.seconds > 2 * seconds
        )
          hold(count, before)
        // If all calls were in flight at once, none waited, but most were refused. Those before an idle time count if it was shorter
        // than the cooldown: then they may have used up the same limit.
        else if (isBusy || (refusals > passes && (from - since > opensAt - end || refusals > all))) search()
        return
      }
      const isWorse = served * without.seconds < (proofs > MANY ? WORSE_LATER : WORSE) * without.passes
      if (!isWorse && isPaced) {
        if (passes >= FEWEST && seconds > 1.5 * short.seconds) {
          // In the rest of a longer run a bucket admits requests at the served rate or faster. A window may admit none: if that happens
          // in the search, the trial ends unless the next run is better.
          if (rate <= found || (passes + HALF - short.passes) / (seconds - short.seconds) < served)
            misses += found ? 1 : MOST_MISSES
          else if (found) misses = 0
          if (misses <= MOST_MISSES) return hold(short, count)
        }
        if (rate > found && misses < MOST_MISSES) {
          misses += HALF
          return search()
        }
      }
      misses++
      if (misses < MOST_MISSES && passes >= FEWEST && !(isWorse && proofs > MANY)) return search()
      rate = Infinity
      skip = 2 ** (misses - 1) - 1
    }

    return {
      countsOthers: true,
      admit() {
        // A call prolongs a wait that is over, because in a long task that makes calls no timer runs and no response is read. It counts as
        // a twentieth of a wait, so that the window lasts 1 s longer at most: a timer may also just be late.
        if (waits && fullUntil <= bucket.now()) {
          fullUntil = bucket.now() + 25
          waits += 0.05
        }
      },
      // During the first window a call is sent early rather than refused.
      overflow(call) {
        // Widens the window, and undoes that if the call must wait for something else.
        return (++width < Infinity && bucket.readyAt(call) <= bucket.now()) || !width--
      },
      readyAt(now) {
        if (bucket.inFlight() >= width) {
          if (!(waits && now < fullUntil)) {
            fullUntil = now + FULL_MS
            waits++
          }
          if (waits < 3) return fullUntil
          width = Infinity
        }
        if (rate === Infinity) return now
        const missing = 1 - Math.min(level + ((now - at) * rate) / 1000, burst)
        return missing > 1e-9 ? now + (missing / rate) * 1000 : now
      },
      sent(_, now) {
        if (!run) {
          if (over) judge(over)
          over = undefined
          all = 0
          since = now
        }
        // An idle time says nothing about the server's rate, nor does a sleep of the machine while calls wait.
        if (!run || now - sentAt > IDLE_MS * (bucket.size() ? SLEPT + SLEPT / rate : 1))
          run = { from: now, end: now, passes: 0 }
        // After a rest, a limit of which only a refusal is known needs the first window again.
        if (maybeLimit && !skip && rate === Infinity && now - sentAt > IDLE_MS) startWindow()
        if (rate < Infinity) {
          level = Math.min(level + ((now - at) * rate) / 1000, burst)
          if (level < 2) {
            pacedAt = now
            heldSeconds += Math.min(now - sentAt, IDLE_MS) / 1000
            rate = Math.max(rate, found * (BELOW + RISE * (heldSeconds / patience) ** 4))
          }
          level--
          at = now
          if (level < -DEBT) {
            level = -DEBT
            // Other clients sent this much without a refusal, so the server's rate is higher. At most one raise per instant.
            if (now !== raisedAt) {
              rate *= FASTER
              if (found) found = rate
              raisedAt = now
            }
          }
        }
        sentAt = now
      },
      ended(call, { kind, readings }) {
        if (over && kind === 'throttled') over.refusals++
        if (!/passed|failed/.test(kind)) return
        // `rateLimitFields` keeps a limit that the server names before it refuses. Then no window is needed, and refusals set no rate.
        if (readings?.some((one) => one?.source === 'ratelimit')) rate = skip = width = Infinity
        waits = 0
        // Only a full window counts: others do not show that a wider one passes. A few slow responses do not hold it.
        if ((bucket.inFlight() + 1 >= width || bucket.size() > 0) && 4 * ++taken >= 3 * width) {
          taken = 0
          width *= 2
          if (width > 4 * firstWindow) {
            width = Infinity
            maybeLimit = false
          }
        }
        const own = run && call.sentAt >= run.from ? run : over
        if (!(own && call.sentAt >= own.from)) return
        own.passes++
        all++
        own.end = Math.max(own.end, call.sentAt)
        if (own === over) {
          if (call.sequence > over.sequence) over.after++
          // A stray changes nothing, like a spurious loss in TCP (RFC 4015 §3.2).
          if (over.after > STRAY * over.refusals) {
            maybeLimit = false
            if (!hasLimit) bucket.skipProbe()
          }
        } else if (!found && pacedAt >= call.sentAt) rate *= 1 + 1 / (2 * short.passes)
      },
      closed(until, call) {
        width = Infinity
        if (call) {
          hasLimit ||= maybeLimit
          maybeLimit = true
        }
        if (call && run && call.sentAt >= run.from) {
          over = Object.assign(run, {
            end: Math.max(run.end, call.sentAt),
            isPaced: pacedAt >= call.sentAt,
            isBusy: bucket.size() > 0,
            sequence: call.sequence,
            refusals: 0,
            after: 0,
            opensAt: until,
          })
        }
        run = undefined
        // After a sleep this is another cooldown.
        if (over && over.opensAt >= bucket.now()) over.opensAt = until
      },
      reset,
      snapshot() {
        if (rate === Infinity) pace = undefined
        else if (pace?.ratePerSecond !== (found || rate) || pace.burst !== burst)
          pace = { from: 'refusals', ratePerSecond: found || rate, burst }
        return { pace }
      },
    }
  }
}
