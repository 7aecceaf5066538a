import type { Policy, PolicyHooks } from '../policy.ts'

export interface LearnPaceOptions {
  /** Requests in flight that a bucket begins with, as long as nothing is known of its server. RFC 6928 has 10 packets. @default 8 */
  firstWindow?: number | undefined
}

/** What is thought of the server's limit, as the snapshot shows it. */
interface LearntPace {
  readonly from: 'refusals'
  readonly ratePerSecond: number
  readonly burst: number
}

/** From the opening of the gate until a refusal, and the pause that came of it. */
interface Run {
  from: number
  end: number
  opensAt: number
  passes: number
  /** Calls waited when it ended, so that the server, and not the demand, set its length. */
  isBusy: boolean
  /** The refused request had waited for the pace. */
  isPaced: boolean
  /** The pace at its end. */
  rate: number
  /** It began with a full bucket. */
  isRested: boolean
  /** The number of the refused request, the refusals of that event, and what passed though it was sent after it. */
  sequence: number
  refusals: number
  after: number
}

/** Passes in seconds. */
interface Count {
  readonly passes: number
  readonly seconds: number
}

/** What the runs so far say. Replaced, never changed: the last run is judged anew when one more of its requests passes. */
interface Model {
  /** `open`: nothing is held back, the gate alone decides. */
  readonly mode: 'open' | 'search' | 'hold'
  /** Per second. */
  readonly rate: number
  /** The rate that `hold` was set by. */
  readonly found: number
  readonly growth: number
  /** Seconds at the rate until it is tried whether there is more. */
  readonly patience: number
  /** What passes at once after a pause; after a rest. */
  readonly burst: number
  readonly full: number
  /** The run that the burst is known from. */
  readonly dense: Count
  /** Refusals in a row that a rate does not explain, and refusals to come that start no new trial. */
  readonly misses: number
  readonly skip: number
  /** How often in a row a run without a pace was as long as the one before. */
  readonly alike: number
  /** What passed without a pace, pauses included; older runs count less. */
  readonly unpaced: Count
  readonly last?: Count & { readonly isDense: boolean }
}

const FRESH: Model = {
  mode: 'open',
  rate: Infinity,
  found: 0,
  growth: 1,
  patience: 1,
  burst: 1,
  full: 1,
  dense: { passes: 0, seconds: 0 },
  misses: 0,
  skip: 0,
  alike: 0,
  unpaced: { passes: 0, seconds: 0 },
}

/** A refusal is a stray if so many times the refusals of its event were sent after it and passed. */
const STRAY = 3
/** So few passes say nothing of a limit. */
const FEWEST = 4
/** A longer first run may be the luck of a server that refuses at random: it takes two that are alike. */
const SHORT = 32
/** Less than this part of what passes without a pace is worse, and no accident of one pause. */
const WORSE = 0.8
/** A run longer than so many of its pauses loses little by them: pacing could not gain. */
const DENSE = 2
/** Runs are alike, and one is not too short for a burst, from this ratio on. */
const ALIKE = 0.75
/** The search begins at so many times what passes without a pace, pauses included. */
const FROM = 1.5
/** It grows e-fold in so many passes. */
const GROWTH = 28
/** Passes beyond the burst that tell a rate. */
const TELLING = 2
/** The refused request was the next half token. */
const HALF = 0.5
/** The bucket is kept so much smaller than the server's, which may be full already. */
const MARGIN = 1.2
/** A rate that was found is kept below by this, and grows over it with this power of the time, in pauses of at least 1 s. */
const BELOW = 0.995
const RISE = 0.03
const POWER = 4
const PATIENCE = 3.5
const HASTE = 0.6
/** Misses that are forgiven; each one more doubles the refusals until the next trial. */
const FORGIVEN = 1
const MOST_DOUBLINGS = 10
const KEPT = 0.7
/** Requests that others of the same limit may be ahead of the pace; each one more makes it so much faster. */
const DEBT = 2
const FASTER = 1.05
const IDLE_MS = 1000
const MOST_RATE = 1e9

/**
 * Learns the server's rate from its refusals, and then sends at that rate. Whatever a token bucket is, burst + rate · t passes
 * in a time t: a run from a pause to a refusal tells the burst if it is short and the rate if it is long. A refusal that does
 * not fit, or a pace that serves less than no pace did, ends the trial: then the gate alone decides, for longer each time.
 * Holds nothing back before the first refusal but a first window, where no `concurrency` is given.
 */
export const learnPace =
  ({ firstWindow = 8 }: LearnPaceOptions = {}): Policy =>
  (bucket): PolicyHooks => {
    let model: Model
    let before: Model
    let run: Run | undefined
    let last: Run | undefined
    let rate: number
    let level: number
    let at: number
    let sentAt: number
    /** When the pace last held a request back. */
    let pacedAt: number
    let heldSeconds: number
    let pace: LearntPace | undefined

    function reset(): void {
      model = before = FRESH
      run = last = pace = undefined
      rate = level = Infinity
      at = sentAt = pacedAt = -Infinity
      heldSeconds = 0
      if (bucket.options.concurrency === Infinity) bucket.startWindow(firstWindow)
    }
    reset()

    const capacity = (): number => model.full
    const filled = (now: number): number => level + (Math.max(now - at, 0) * rate) / 1000

    /** Follows the model after `last`. */
    function follow({ end, opensAt }: Run): void {
      ;({ rate } = model)
      heldSeconds = 0
      at = opensAt
      level = Math.max(Math.min(capacity(), model.burst - MARGIN, (rate * (opensAt - end)) / 1000), 1)
    }

    return {
      countsOthers: true,
      readyAt(now) {
        const missing = model.mode === 'open' ? 0 : 1 - Math.min(filled(now), capacity())
        return missing > 1e-9 ? now + (missing / rate) * 1000 : now
      },
      sent(_, now) {
        run ??= {
          from: now,
          end: now,
          opensAt: now,
          passes: 0,
          isBusy: false,
          isPaced: false,
          rate: Infinity,
          isRested: !last,
          sequence: Infinity,
          refusals: 0,
          after: 0,
        }
        const full = model.mode === 'open' ? Infinity : filled(now)
        if (full > capacity() && now - sentAt > IDLE_MS) {
          // The server's bucket is full as well.
          Object.assign(run, { from: now, passes: 0, isRested: true })
        }
        if (model.mode !== 'open') {
          level = Math.min(full, capacity())
          if (level < 2) {
            pacedAt = now
            heldSeconds += Math.min(Math.max(now - sentAt, 0), IDLE_MS) / 1000
            if (model.mode === 'hold') {
              const grown = model.found * (BELOW + RISE * (heldSeconds / model.patience) ** POWER)
              rate = Math.min(Math.max(model.rate, grown), MOST_RATE)
            }
          }
          level--
          at = now
          // Only others get so far ahead: the server lets through more than this pace.
          if (level < -DEBT) {
            level = -DEBT
            rate = Math.min(rate * FASTER, MOST_RATE)
            if (model.mode === 'hold') model = { ...model, rate, found: rate }
          }
        }
        sentAt = now
      },
      ended(call, { kind }) {
        if (kind !== 'passed' && kind !== 'failed') return
        const own = run && call.sentAt >= run.from ? run : last
        if (!own || call.sentAt < own.from) return
        if (call.sequence > own.sequence) own.after++
        own.passes++
        own.end = Math.max(own.end, call.sentAt)
        if (own === run) {
          if (model.mode === 'search' && pacedAt >= call.sentAt)
            rate = Math.min(rate * model.growth, MOST_RATE)
        } else {
          model = learn(before, own)
          if (!run) follow(own)
        }
      },
      closed(until, call) {
        if (call && run && call.sentAt >= run.from && (run.passes > 0 || !last)) {
          last = run
          before = model
          last.end = Math.max(last.end, call.sentAt)
          last.isPaced = pacedAt >= call.sentAt
          last.rate = rate
          last.sequence = call.sequence
          last.refusals = 1
          last.isBusy = bucket.size() > 0
        } else if (last && !call) last.refusals++
        // A probe that is refused, with nothing let through before it, makes the pause longer and says nothing of a rate.
        run = undefined
        if (!last) return
        last.opensAt = Math.max(last.opensAt, until)
        model = learn(before, last)
        follow(last)
      },
      reset,
      snapshot() {
        const { mode, rate: ratePerSecond, full: burst } = model
        if (mode === 'open') pace = undefined
        else if (pace?.ratePerSecond !== ratePerSecond || pace.burst !== burst)
          pace = { from: 'refusals', ratePerSecond, burst }
        return { pace }
      },
    }
  }

/** What `run` makes of the model before it. */
function learn(model: Model, run: Run): Model {
  const { passes, isPaced } = run
  const seconds = Math.max(run.end - run.from, 0) / 1000
  const pause = Math.max(run.opensAt - run.end, 1) / 1000
  /** What passes with the pauses, which is the least that the rate can be. */
  const served = passes / (seconds + pause)
  const { mode, dense, misses, last } = model
  // An empty bucket refuses what is sent next as well.
  if (run.after > STRAY * run.refusals) return model
  const isDense = run.isBusy && seconds < DENSE * pause
  const own = { passes, seconds }
  const isAlike =
    isDense && last?.isDense && Math.min(last.passes, passes) >= ALIKE * Math.max(last.passes, passes)
  let { unpaced } = model
  if (mode === 'open')
    unpaced = {
      passes: unpaced.passes * KEPT + passes,
      seconds: unpaced.seconds * KEPT + seconds + pause,
    }
  const isTooShort = passes < ALIKE * dense.passes
  if (mode !== 'open' && isTooShort) unpaced = { passes, seconds: seconds + pause }
  const next: Model = { ...model, unpaced, alike: isAlike ? model.alike + 1 : 0, last: { ...own, isDense } }
  const without = unpaced.passes / unpaced.seconds

  function open(count: number): Model {
    const doublings = Math.min(Math.ceil(count - FORGIVEN), MOST_DOUBLINGS)
    return {
      ...next,
      mode: 'open',
      rate: Infinity,
      misses: count,
      skip: doublings > 0 ? 2 ** doublings - 1 : 0,
    }
  }
  function paced(how: Partial<Model>, from: Count, ratePerSecond: number): Model {
    const burst = Math.max(from.passes - ratePerSecond * from.seconds, 1)
    const full = Math.max(Math.ceil(burst), run.isRested && mode !== 'open' ? 0 : model.full)
    const growth = 1 + (1 + how.misses! / 2) / Math.min(GROWTH, 2 * passes)
    return { ...next, growth, ...how, dense: from, burst, full }
  }
  function search(count: number, from: Count = own): Model {
    const start = Math.max((1 + (FROM - 1) * 0.5 ** count) * served, mode === 'open' ? without : 0)
    return paced({ mode: 'search', rate: start, found: 0, misses: count }, from, served)
  }
  function hold(count: number, from: Count, found: number): Model {
    if (found < Math.max(WORSE * without, served)) return open(count + 1)
    const patience = PATIENCE * Math.max(pause, 1) * (count > 0 ? HASTE : 1)
    return paced(
      { mode: 'hold', rate: Math.max(BELOW * found, served), found, patience, misses: count },
      from,
      found,
    )
  }

  if (mode === 'open') {
    if (model.skip > 0) return { ...next, skip: model.skip - 1 }
    if (!isDense || passes < FEWEST) return next
    if (misses === 0 && last && !last.isDense && last.passes > passes + TELLING && last.seconds > 2 * seconds)
      return hold(0, own, (last.passes + HALF - passes) / (last.seconds - seconds))
    return (misses === 0 && passes < SHORT && (!last || last.passes <= 2 * passes)) ||
      next.alike > (misses > 0 ? 1 : 0)
      ? search(misses)
      : next
  }

  const isSearching = mode === 'search'
  const isExplained = isPaced && (isSearching ? !isTooShort : run.rate > model.found)
  const isWorse = served < (isSearching ? 0.5 : WORSE) * without
  if (isPaced && !isWorse && passes > dense.passes && seconds > 2 * dense.seconds) {
    const found = Math.max((passes + HALF - dense.passes) / (seconds - dense.seconds), served)
    return hold(!isExplained ? misses + 1 : isSearching ? misses : 0, dense, found)
  }
  if (isExplained && !isWorse && misses < 2) {
    const from = passes < dense.passes || seconds < dense.seconds ? own : dense
    return search(misses + HALF, from)
  }
  return isSearching || misses + 1 > FORGIVEN || passes < FEWEST ? open(misses + 1) : search(misses + 1)
}
