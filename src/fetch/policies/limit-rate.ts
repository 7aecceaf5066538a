import { adviseOnRule } from '../../core/shared/develop.ts'
import type { Rule } from '../../core/limit/rules/rule.ts'
import type { Policy } from '../policy.ts'
import type { LimitsSnapshot } from '../snapshot.ts'

/**
 * A policy that limits the requests of a bucket by a rule of `lull/core`, such as `tokenBucket`. Each attempt takes one token when
 * it is sent. A call with `rateLimit: false` takes none.
 *
 * @param limit a rule, or a function that is called before each request and returns one, or undefined for no limit. A new limit
 * takes over the tokens that were left. Rules with equal numbers are the same limit: a component may make one in each render.
 * @throws TypeError, in development, if it is neither.
 */
export function limitRate(limit: Rule | (() => Rule | undefined)): Policy {
  adviseOnRule('limitRate', limit, undefined, typeof limit === 'function')

  return (bucket) => {
    let rule: Rule | undefined
    let cells: Float64Array
    let limits: LimitsSnapshot | undefined

    /** Applies the current limit. A new one takes over the tokens that were left of the old one. */
    function update(): void {
      const next = typeof limit === 'function' ? limit() : limit
      if (isSameRule(next, rule)) return
      const left = limits?.tokens ?? Infinity
      rule = next
      limits = undefined
      if (!next) return
      const { ratePerSecond, burst } = next
      const now = bucket.now()
      const own = (cells = new Float64Array(next.cells))
      next.start(own, 0, now)
      limits = Object.freeze({
        ratePerSecond,
        burst,
        get tokens() {
          return next.level(own, 0, bucket.now())
        },
      })
      if (left < Infinity) next.book(own, 0, limits.tokens - left, now)
    }

    return {
      readyAt(now) {
        update()
        return rule ? now + rule.waitMs(cells, 0, 1, now) : now
      },
      sent: (_, now) => rule?.book(cells, 0, 1, now),
      reset() {
        rule = limits = undefined
      },
      isIdle: (now) => !rule || (rule.isFresh?.(cells, 0, now) ?? rule.level(cells, 0, now) >= rule.burst),
      snapshot() {
        update()
        return { limits }
      },
    }
  }
}

const isSameRule = (a: Rule | undefined, b: Rule | undefined): boolean =>
  (['cells', 'costsAddUp', 'burst', 'ratePerSecond'] as const).every((name) => a?.[name] === b?.[name])
