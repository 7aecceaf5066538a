import { checkFrom } from '../../shared/check.ts'
import { changed, SLACK_MS, type Rule } from './rule.ts'

export interface TokenBucketOptions {
  /** Tokens that come per second, from 0 (never) to Infinity (no limit). */
  ratePerSecond: number
  /** The most tokens that the bucket holds, from 0. */
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
 * ratePerSecond · L + burst pass. A reservation takes the tokens at once, into debt. Source: Go's x/time/rate.
 *
 * @throws RangeError for a rate, a burst or `initial` below 0.
 */
export function tokenBucket(options: TokenBucketOptions): Rule<TokenBucketChanges> {
  const { ratePerSecond, burst, initial = burst } = options
  checkFrom(0, 'ratePerSecond', ratePerSecond)
  checkFrom(0, 'burst', burst)
  checkFrom(0, 'initial', initial)
  // Of -0, too.
  const perMs = Math.abs(ratePerSecond) / 1000
  const capacity = perMs === Infinity ? Infinity : burst
  // Infinite at an infinite rate, so that everything passes.
  const slack = perMs * SLACK_MS

  // Another function, not an exit of the other one, which would then answer an object: that is what a number from outside is.
  const level: Rule['level'] =
    perMs === Infinity
      ? () => burst
      : (cells, offset, at) => {
          const elapsedMs = at - cells[offset]!
          const tokens = cells[offset + 1]!
          return Math.min(elapsedMs > 0 ? tokens + elapsedMs * perMs : tokens, burst)
        }

  function write(cells: Float64Array, offset: number, at: number, tokens: number): void {
    cells[offset] = at
    cells[offset + 1] = tokens
  }

  return {
    cells: 2,
    takenAtCell: 0,
    costsAddUp: true,
    ratePerSecond,
    burst,
    start: (cells, offset, at) => write(cells, offset, at, Math.min(initial, burst)),
    book: (cells, offset, cost, at) => write(cells, offset, at, level(cells, offset, at) - cost),
    waitMs(cells, offset, cost, at) {
      if (cost > capacity) return Infinity
      const missing = cost - level(cells, offset, at)
      return missing > slack ? missing / perMs : 0
    },
    level,
    reconfigure: (changes, cells, at) => [
      tokenBucket(changed(options, changes)),
      Float64Array.of(at, level(cells, 0, at)),
    ],
  }
}
