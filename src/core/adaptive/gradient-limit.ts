import { check, checkPart } from '../shared/check.ts'
import type { AdaptiveLimit } from './concurrency-limiter.ts'

export interface GradientLimitOptions {
  /** The limit before the first measurement. @default 20, clamped to `min` and `max` */
  initial?: number | undefined
  /** Minimum limit. At least 1. @default 1 */
  min?: number | undefined
  /** Maximum limit. @default 200 */
  max?: number | undefined
  /** The part of the way to its target that the limit moves per round: above 0, at most 1. @default 0.3 */
  smoothing?: number | undefined
  /** The limit falls when the latency is above this multiple of the latency without load. At least 1. @default 1.2 */
  tolerance?: number | undefined
  /** Time after which the latency without load is measured again, in ms; at least 100 × that latency. @default 10_000 */
  resampleMs?: number | undefined
}

export interface GradientLimit extends AdaptiveLimit {
  /** The latency without load, in ms; undefined before the first measurement. */
  readonly noLoadMs: number | undefined
}

/** Calls measured together. */
interface Round {
  readonly size: number
  started: number
  ended: number
  succeeded: number
  totalMs: number
  mostInFlight: number
}

/** An average needs this many calls. */
const LEAST_CALLS = 20

/** A round ends when this part of its calls has ended, so that hanging calls do not delay it, */
const ENDED_PART = 0.9
/** or when this multiple of its size has started. */
const LONGEST = 10
/** While the latency without load is measured: this one. */
const LONGEST_MEASURED = 2

/** A failure multiplies the limit by this. */
const BACKOFF = 0.9

/** The part of the way to a lower average that the latency without load moves: an average may be low by chance. */
const DRAW = 0.1

/** Minimum interval of its measurements, as a multiple of it: each takes a few times that latency. */
const INTERVAL = 100

/**
 * A limit for `createConcurrencyLimiter` that finds how many calls the server can process at a time, and lets a few more queue.
 *
 * Measures the average latency in rounds of L calls, at least 20, where L is the limit. After a round, L moves part of the way to
 * L · gradient + √L, where gradient = tolerance · latency without load / latency, clamped to ½ … 1, and √L is the room for a
 * queue. A round that never had half of L in flight leaves L unchanged. A failure reduces L by a tenth and starts a new round.
 *
 * The latency without load is measured in rounds with at most √L in flight. When none came for `resampleMs`, L falls to √L for
 * one round. Meanwhile one call at a time runs beside √L or more long ones; if these last, L returns without a measurement. In
 * between, lower averages draw the latency without load down. Latencies below 1 ms are equal.
 *
 * @throws RangeError for an option that is out of range.
 * @see https://github.com/Netflix/concurrency-limits (its gradient limit)
 */
export function gradientLimit({
  min = 1,
  max = 200,
  initial = Math.min(Math.max(20, min), max),
  smoothing = 0.3,
  tolerance = 1.2,
  resampleMs = 10_000,
}: GradientLimitOptions = {}): GradientLimit {
  check(min >= 1, 'min >= 1', min)
  check(max >= min, `max >= ${min}`, max)
  check(initial >= min, `initial >= ${min}`, initial)
  const most = Math.min(max, Number.MAX_SAFE_INTEGER)
  check(initial <= most, `initial <= ${most}`, initial)
  checkPart('smoothing', smoothing)
  check(tolerance >= 1, 'tolerance >= 1', tolerance)
  check(resampleMs >= 0, 'resampleMs >= 0', resampleMs)
  let limit = initial
  let noLoadMs: number | undefined
  let seenAt = -Infinity
  let isMeasuring = false
  let round: Round
  let open = 0
  /** The open calls that started before this round. They may never end, so that no call may wait for all of them. */
  let earlier = 0

  const light = (): number => Math.max(Math.floor(Math.sqrt(limit)), min)
  const current = (): number => {
    const most = Math.floor(limit)
    return isMeasuring ? Math.min(Math.max(light(), earlier + 1), most) : most
  }

  function startRound(): void {
    const size = Math.max(LEAST_CALLS, isMeasuring ? light() : current())
    earlier = open
    round = { size, started: 0, ended: 0, succeeded: 0, totalMs: 0, mostInFlight: 0 }
  }

  function learn({ succeeded, totalMs, mostInFlight }: Round, now: number): void {
    const latencyMs = Math.max(totalMs / succeeded, 1)
    if (mostInFlight <= light()) {
      // A higher latency replaces the old one: the server has become slower. A lower one moves it only half of the way: if it is
      // low by chance, a limit that follows it starves.
      noLoadMs = Math.max(latencyMs, (latencyMs + (noLoadMs ?? latencyMs)) / 2)
      seenAt = now
    } else if (noLoadMs !== undefined) noLoadMs += Math.min(latencyMs - noLoadMs, 0) * DRAW
    if (noLoadMs !== undefined && mostInFlight >= limit / 2) {
      const gradient = Math.min(Math.max((tolerance * noLoadMs) / latencyMs, 0.5), 1)
      const aim = limit * gradient + Math.sqrt(limit)
      limit = Math.min(Math.max(limit + smoothing * (aim - limit), min), max)
    }
    isMeasuring = now - seenAt >= Math.max(resampleMs, (noLoadMs ?? 0) * INTERVAL)
  }

  startRound()
  return {
    get current() {
      return current()
    },
    get noLoadMs() {
      return noLoadMs
    },
    started(inFlight, startedAt) {
      // A call that ends after its round shows nothing about the current limit.
      const own = round
      open++
      const isBeside = isMeasuring && inFlight > light()
      const counts = own.started++ < own.size && !isBeside
      if (counts) own.mostInFlight = Math.max(own.mostInFlight, inFlight)

      return (outcome, now) => {
        open--
        if (own !== round) {
          earlier--
          return
        }
        if (outcome === 'failure') {
          limit = Math.max(limit * BACKOFF, min)
          return startRound()
        }
        if (counts) own.ended++
        if (counts && outcome === 'success') {
          own.succeeded++
          own.totalMs += now - startedAt
        }
        const longest = isMeasuring ? LONGEST_MEASURED : LONGEST
        if (own.ended < own.size * ENDED_PART && own.started < own.size * longest) return
        if (own.succeeded > 0) learn(own, now)
        else if (isMeasuring) {
          isMeasuring = false
          seenAt = now
        }
        startRound()
      }
    },
  }
}
