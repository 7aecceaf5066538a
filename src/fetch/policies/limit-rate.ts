import { checkAbove, checkFrom } from '../../core/shared/check.ts'
import type { Rule } from '../../core/limit/rules/rule.ts'
import type { Policy } from '../policy.ts'
import type { LimitsSnapshot } from '../snapshot.ts'
import { rateRule, type PaceRule } from './rate-rule.ts'

/** Requests per second, and how many may go at once after a rest. */
export interface RateLimit {
  /** Above 0; Infinity: no limit. */
  ratePerSecond: number
  /** From 1. @default what comes in a second, at least 1 */
  burst?: number | undefined
}

/**
 * A policy that sends no more requests of a bucket than `limit` allows: so many per second, or what a rule of `lull/core`
 * such as `slidingWindowLog` lets through. Each attempt takes one token when it is sent; `rateLimit: false` takes none.
 *
 * @param limit a function is asked before each request: another limit than before holds from then on, with the tokens that
 * were left; undefined is no limit.
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

    /** Begins with the tokens that are left of the limit before, if there was one. */
    function update(): void {
      const next = typeof limit === 'function' ? limit() : limit
      if (limits && isSameLimit(next, given)) return
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

/** Rules are the same if their numbers are: a component may make a new one in each render. */
const isSameLimit = (a: RateLimit | Rule | undefined, b: RateLimit | Rule | undefined): boolean =>
  a === b ||
  (isRule(a) &&
    isRule(b) &&
    a.cells === b.cells &&
    a.costsAddUp === b.costsAddUp &&
    a.burst === b.burst &&
    a.ratePerSecond === b.ratePerSecond)

const isRule = (limit: RateLimit | Rule | undefined): limit is Rule => !!(limit as Rule | undefined)?.cells
