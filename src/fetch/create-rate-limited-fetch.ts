import { check } from '../core/shared/check.ts'
import { adviseOnChoices, adviseOnRule, adviseOnType } from '../core/shared/develop.ts'
import type { Rule } from '../core/limit/rules/rule.ts'
import { tokenBucket } from '../core/limit/rules/token-bucket.ts'
import { composeRateLimitedFetch } from './compose-rate-limited-fetch.ts'
import { checkOptions, type ComposeOptions } from './options.ts'
import { learnPace } from './policies/learn-pace.ts'
import { bothFields } from './policies/legacy-rate-limit-fields.ts'
import { limitRate } from './policies/limit-rate.ts'
import type { RateLimitedFetch } from './rate-limited-fetch.ts'

export interface RateLimitedFetchOptions extends ComposeOptions {
  /** Requests per second per bucket, above 0. @default Infinity */
  ratePerSecond?: number | undefined
  /** Maximum number of requests at once after an idle time, at least 1. @default the requests of one second, or 1 */
  burst?: number | undefined
  /** A rule that replaces `ratePerSecond` and `burst`, such as `slidingWindowLog` for at most n in any window. */
  rule?: Rule | undefined
  /** 'learn': learns the server's rate from refusals, and spreads requests at a rate it names; 'fixed': neither. @default 'learn' */
  pace?: 'learn' | 'fixed' | undefined
}

/**
 * Returns a drop-in `fetch` with the usual policies: `composeRateLimitedFetch` with `learnPace()`, `rateLimitFields()`,
 * `legacyRateLimitFields()`, and `limitRate()` if a rate or rule is given. Your `policies` come after these.
 *
 * @throws RangeError or TypeError that names an option out of range.
 */
export function createRateLimitedFetch(given: RateLimitedFetchOptions = {}): RateLimitedFetch {
  let options: RateLimitedFetchOptions = {}
  let limit: Rule | undefined
  const rate = limitRate(() => limit)
  // With a given limit, the server needs no first window.
  const isLimited = given.rule ?? given.ratePerSecond! < Infinity
  const learning = [learnPace({ firstWindow: isLimited ? Infinity : 8 }), bothFields(true)]
  const fixed = [bothFields(false)]

  /** Applies the changes. Returns the options of the kernel. */
  function change(changes: RateLimitedFetchOptions): ComposeOptions {
    adviseOnType('object', 'options of a rate-limited fetch', changes, TypeError)
    const next = { ...options, ...changes }
    const { ratePerSecond = Infinity, burst, rule, pace = 'learn', policies = [], ...others } = next
    adviseOnRule('createRateLimitedFetch', rule, undefined, !rule)
    check(ratePerSecond > 0, 'ratePerSecond > 0', ratePerSecond)
    if (burst !== undefined) check(burst >= 1, 'burst >= 1', burst)
    adviseOnChoices({ pace: [pace, 'learn', 'fixed'] })
    checkOptions({ ...others, policies })
    options = next
    limit =
      rule ??
      (ratePerSecond < Infinity
        ? tokenBucket({ ratePerSecond, burst: burst ?? Math.max(1, ratePerSecond) })
        : undefined)
    return {
      ...others,
      policies: [...(pace === 'learn' ? learning : fixed), ...(limit ? [rate] : []), ...policies],
    }
  }

  const fetch = composeRateLimitedFetch(change(given))
  const { configure } = fetch
  return Object.assign(fetch, {
    configure(changes: Omit<RateLimitedFetchOptions, 'clock'>) {
      configure(change(changes))
    },
  })
}
