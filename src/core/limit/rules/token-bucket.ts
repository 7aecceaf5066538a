import { check } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import type { GcraChanges } from './gcra.ts'
import { SLACK_MS, type Rule } from './rule.ts'

export interface TokenBucketOptions {
  /** Tokens added per second, from 0 (never) to Infinity (no limit). */
  ratePerSecond: number
  /** Maximum number of tokens in the bucket, at least 0. */
  burst: number
  /** Tokens at the start, at least 0. @default burst */
  initial?: number | undefined
}

/** The options of `configure`. Omitted options keep their value. The tokens stay, up to the burst. */
export type TokenBucketChanges = GcraChanges

/**
 * A bucket of tokens that refills steadily: bursts of at most `burst`, and `ratePerSecond` in the long run. The rule to start with.
 *
 * tokens(t) = min(burst, tokens + (t − at) · ratePerSecond / 1000), t and at in ms. A cost of c is allowed while tokens ≥ c, and
 * takes c. In any time L (in seconds) at most ratePerSecond · L + burst is allowed. A reservation takes the tokens at once, into
 * debt. Source: Go's x/time/rate.
 *
 * @throws RangeError for a rate, a burst or `initial` below 0.
 */
export function tokenBucket(options: TokenBucketOptions): Rule<TokenBucketChanges> {
  adviseOnOptions('tokenBucket', options)
  const { ratePerSecond, burst, initial = burst } = options
  check(ratePerSecond >= 0, 'ratePerSecond >= 0', ratePerSecond)
  check(burst >= 0, 'burst >= 0', burst)
  check(initial >= 0, 'initial >= 0', initial)
  // -0 is 0.
  const perMs = ratePerSecond / 1000 + 0

  // One expression of one kind of number: with a second `return`, of `burst`, V8 would allocate each result.
  const level: Rule['level'] = (cells, offset, at) =>
    Math.min(perMs < Infinity ? cells[offset + 1]! + Math.max(at - cells[offset]!, 0) * perMs : burst, burst)

  return {
    cells: 2,
    takenAtCell: 0,
    costsAddUp: true,
    ratePerSecond,
    burst,
    start(cells, offset, at) {
      cells[offset] = at
      cells[offset + 1] = initial
    },
    book(cells, offset, cost, at) {
      // Finite, so that Infinity minus an infinite cost is Infinity, not NaN.
      cells[offset + 1] = level(cells, offset, at) - Math.min(cost, 1e300)
      cells[offset] = at
    },
    waitMs(cells, offset, cost, at) {
      // At an infinite rate the tolerance is infinite, so that everything is allowed.
      const missing = cost - level(cells, offset, at)
      return perMs < Infinity && cost > burst ? Infinity : missing > perMs * SLACK_MS ? missing / perMs : 0
    },
    level,
    reconfigure: ({ ratePerSecond: rate = ratePerSecond, burst: most = burst }, cells, at) => [
      tokenBucket({ ratePerSecond: rate, burst: most, initial }),
      Float64Array.of(at, level(cells, 0, at)),
    ],
  }
}
