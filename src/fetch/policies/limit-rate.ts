import { checkAbove, checkFrom } from '../../core/shared/check.ts'
import { SLACK_MS, type Rule } from '../../core/limit/rules/rule.ts'
import type { Policy } from '../policy.ts'
import type { LimitsSnapshot } from '../snapshot.ts'

/** Requests per second, and the most at once after an idle time. */
export interface RateLimit {
  /** Above 0; Infinity: no limit. */
  ratePerSecond: number
  /** From 1. @default the requests of one second, at least 1 */
  burst?: number | undefined
}

/**
 * A policy that limits the requests of a bucket: to so many per second, or by a rule of `lull/core` such as `slidingWindowLog`.
 * Each attempt takes one token when it is sent; a call with `rateLimit: false` takes none.
 *
 * @param limit or a function that is called before each request: a new object is the limit from then on, with the tokens that
 * were left; undefined means no limit.
 * @throws RangeError for a rate that is not above 0, or a burst below 1.
 */
export function limitRate(limit: RateLimit | Rule | (() => RateLimit | Rule | undefined)): Policy {
  if (typeof limit !== 'function' && !isRule(limit)) {
    checkAbove(0, 'limitRate ratePerSecond', limit.ratePerSecond)
    checkFrom(1, 'limitRate burst', limit.burst ?? 1)
  }

  return (bucket) => {
    let given: RateLimit | Rule | undefined
    let rule: PaceRule
    let cells: Float64Array
    let limits: LimitsSnapshot | undefined

    /** Takes over the tokens left of the old limit, if there was one. */
    function update(): void {
      const next = typeof limit === 'function' ? limit() : limit
      if (limits && next === given) return
      given = next
      const now = bucket.now()
      const left = limits?.tokens ?? Infinity
      const { ratePerSecond = Infinity, burst = Math.max(1, ratePerSecond) }: Partial<RateLimit> = next ?? {}
      const own = (rule = isRule(next) ? next : rateRule(ratePerSecond, burst))
      const state = (cells = new Float64Array(own.cells))
      own.start(state, 0, now)
      limits = Object.freeze({
        ratePerSecond,
        burst,
        get tokens() {
          return own.level(state, 0, bucket.now())
        },
      })
      const excess = limits.tokens - left
      if (excess > 0 && excess < Infinity) own.book(state, 0, excess, now)
    }

    update()

    return {
      readyAt(now) {
        update()
        return now + rule.waitMs(cells, 0, 1, now)
      },
      sent: (_, now) => rule.book(cells, 0, 1, now),
      reset() {
        limits = undefined
      },
      isIdle: (now) => !limits || (rule.isFresh?.(cells, 0, now) ?? rule.level(cells, 0, now) >= rule.burst),
      snapshot() {
        update()
        return { limits }
      },
    }
  }
}

const isRule = (limit: RateLimit | Rule | undefined): limit is Rule => !!(limit as Rule | undefined)?.cells

/** The members of a rule that pace requests. */
type PaceRule = Pick<Rule, 'cells' | 'burst' | 'start' | 'book' | 'waitMs' | 'level' | 'isFresh'>

/** A `tokenBucket` at offset 0 in a third of the bytes, without the members that only limiters need. */
function rateRule(ratePerSecond: number, burst: number): PaceRule {
  const perMs = ratePerSecond / 1000

  function level(cells: Float64Array, _: number, at: number): number {
    const elapsedMs = at - cells[0]!
    return elapsedMs > 0 ? Math.min(cells[1]! + elapsedMs * perMs, burst) : cells[1]!
  }

  return {
    cells: 2,
    burst,
    level,
    start(cells, _, at) {
      cells[0] = at
      cells[1] = burst
    },
    book(cells, _, cost, at) {
      cells[1] = level(cells, 0, at) - cost
      cells[0] = at
    },
    waitMs(cells, _, cost, at) {
      const waitMs = (cost - level(cells, 0, at)) / perMs
      return waitMs > SLACK_MS ? waitMs : 0
    },
  }
}
