import { checkFrom, checkPart, checkUpTo } from '../shared/check.ts'
import type { AdaptiveLimit } from './concurrency-limiter.ts'

export interface GradientLimitOptions {
  /** Before anything is known. @default 20, or what of `min` and `max` is nearest */
  initial?: number | undefined
  /** From 1. @default 1 */
  min?: number | undefined
  /** @default 200 */
  max?: number | undefined
  /** How much of the way the limit goes at each step: above 0, up to 1. @default 0.3 */
  smoothing?: number | undefined
  /** Latency may be so many times that without load before the limit falls: from 1. @default 1.2 */
  tolerance?: number | undefined
  /** How long the latency without load is believed, in ms, if that is above a hundred times as long. @default 10_000 */
  resampleMs?: number | undefined
}

export interface GradientLimit extends AdaptiveLimit {
  /** The latency without load, in ms; undefined as long as nothing is known. */
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

/** The average of fewer calls says little. */
const LEAST_CALLS = 20

/** A round ends when this part of its calls has ended, so that a call that hangs does not delay it, */
const ENDED_PART = 0.9
/** or when so many times its calls have started. */
const LONGEST = 10

/** What a failure leaves of the limit. */
const BACKOFF = 0.9

/** So much of the way to a lower average the latency without load goes: one that is low by chance counts little. */
const DRAW = 0.1

/** It is measured no more often than at intervals of so many times itself: measuring costs a few of those. */
const INTERVAL = 100

/**
 * A limit for `createConcurrencyLimiter` that finds how many calls the server can process at a time, and lets a few more queue
 * there.
 *
 * Calls are looked at in rounds of as many as the limit L lets be in flight, at least 20, with their average latency. After
 * a round L goes part of the way to L · gradient + √L, where gradient = tolerance · latency without load / latency, from ½ to 1,
 * and √L is what may queue. A round with never half of L in flight leaves L as it is. A failure takes a tenth of L, once a
 * round.
 *
 * The latency without load is that of a round with at most √L in flight. When none has come for `resampleMs`, one is made, by
 * that limit. In between, lower averages draw it down. Latencies below 1 ms count as equal.
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
  checkFrom(1, 'min', min)
  checkFrom(min, 'max', max)
  checkFrom(min, 'initial', initial)
  checkUpTo(Math.min(max, Number.MAX_SAFE_INTEGER), 'initial', initial)
  checkPart('smoothing', smoothing)
  checkFrom(1, 'tolerance', tolerance)
  checkFrom(0, 'resampleMs', resampleMs)
  let limit = initial
  let noLoadMs: number | undefined
  let seenAt = -Infinity
  let isMeasuring = false
  let round: Round

  const light = (): number => Math.max(Math.floor(Math.sqrt(limit)), min)
  const current = (): number => (isMeasuring ? light() : Math.floor(limit))

  function startRound(): void {
    const size = Math.max(LEAST_CALLS, current())
    round = { size, started: 0, ended: 0, succeeded: 0, totalMs: 0, mostInFlight: 0 }
  }

  function learn({ succeeded, totalMs, mostInFlight }: Round, now: number): void {
    const latencyMs = Math.max(totalMs / succeeded, 1)
    if (mostInFlight <= light()) {
      // A higher one replaces what was known: the server has become slower. A lower one counts half: if it is so by chance, a limit
      // that follows it starves.
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
      // A call that ends after its round says nothing about the present limit.
      const its = round
      const counts = its.started++ < its.size
      if (counts) its.mostInFlight = Math.max(its.mostInFlight, inFlight)

      return (outcome, now) => {
        if (its !== round) return
        if (outcome === 'failure') {
          limit = Math.max(limit * BACKOFF, min)
          return startRound()
        }
        if (counts) its.ended++
        if (counts && outcome === 'success') {
          its.succeeded++
          its.totalMs += now - startedAt
        }
        if (its.ended < its.size * ENDED_PART && its.started < its.size * LONGEST) return
        if (its.succeeded > 0) learn(its, now)
        startRound()
      }
    },
  }
}
