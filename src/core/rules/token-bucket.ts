import { createDebtLine } from './debt-line.ts'
import { changed, type Rule } from './rule.ts'
import { tokenArithmetic } from './token-arithmetic.ts'

export interface TokenBucketOptions {
  /** Tokens that come per second, from 0 (never) to Infinity (no limit). */
  ratePerSecond: number
  /** The most tokens that the bucket holds, above 0. */
  burst: number
  /** Tokens at the start, from 0. @default burst */
  initial?: number | undefined
}

/** What `configure` takes: what is absent, or undefined, stays as it is. The tokens there stay, up to the burst. */
export interface TokenBucketChanges {
  ratePerSecond?: number | undefined
  burst?: number | undefined
}

/**
 * A bucket of tokens that refills steadily: bursts up to `burst`, and `ratePerSecond` in the long run. The one to take
 * unless something speaks for another.
 *
 * tokens(t) = min(burst, tokens + (t − at) · ratePerSecond / 1000), t and at in ms; a cost of c passes while
 * tokens ≥ c, and takes c: at the very instant at which c tokens are there it passes. In any time L (in seconds) at most
 * ratePerSecond · L + burst pass. A reservation takes the tokens at once, into debt. Source: seeds 000, 001, 002.
 *
 * @throws RangeError for a rate or `initial` below 0, a burst not above 0.
 */
export function tokenBucket(options: TokenBucketOptions): Rule<TokenBucketChanges> {
  const { ratePerSecond, burst, initial = burst } = options
  const arithmetic = tokenArithmetic(ratePerSecond, burst, initial)
  const rule: Rule<TokenBucketChanges> = {
    ...arithmetic,
    reconfigure: (changes, cells, at) => [
      tokenBucket(changed(options, changes)),
      Float64Array.of(at, arithmetic.level(cells, 0, at)),
    ],
    createLine: (at) => createDebtLine(rule, at),
  }
  return rule
}
