import { check } from '../shared/check.ts'
import type { KeyedLimiter } from './keyed-limiter.ts'
import { checkAsk } from './limiter.ts'

/** A keyed limiter that can refuse all requests of a key for a time. */
export interface BlockingKeyedLimiter extends KeyedLimiter {
  /** Refuses all requests of `key` for `ms`, above 0, from `at` (default: now) on. Replaces an earlier block. */
  block: (key: string, ms: number, at?: number) => void
  /** Ends the block of `key`. Returns whether there was one. */
  unblock: (key: string) => boolean
}

/** The number of blocks that each new block checks for removal. Above 1, because it adds one. */
const SWEPT = 2

/**
 * Adds `block` and `unblock` to a keyed limiter, for clients that guess passwords or that another service reported.
 *
 * A request of a blocked key takes nothing and does not reach `limiter`, whose snapshot does not count it. `retryAfterMs` is the rest
 * of the block, or the limiter's own wait if that is longer. `bypass` does not end blocks; `delete` and `clear` do. A clock that is
 * set back prolongs blocks.
 *
 * @throws RangeError from `block` for an `ms` that is not above 0; Infinity blocks for good.
 */
export function withBlocks(limiter: KeyedLimiter): BlockingKeyedLimiter {
  const { clock } = limiter
  const endsAt = new Map<string, number>()

  function restMs(key: string, at: number): number {
    const end = endsAt.get(key) ?? at
    const ms = Math.max(end - at, 0)
    // The rest may be rounded down.
    return at + ms < end ? ms * (1 + 2 ** -52) : ms
  }

  const peek: KeyedLimiter['peek'] = (key, cost, at = clock.now()) => {
    const decision = limiter.peek(key, cost, at)
    const retryAfterMs = Math.max(decision.retryAfterMs, restMs(key, at))
    return { ...decision, allowed: !retryAfterMs, retryAfterMs }
  }

  return {
    ...limiter,
    get size() {
      return limiter.size
    },
    allow: (key, cost = 1, at = clock.now()) =>
      !restMs(key, checkAsk(cost, at)) && limiter.allow(key, cost, at),
    decide: (key, cost, at = clock.now()) => (restMs(key, at) ? peek : limiter.decide)(key, cost, at),
    peek,
    delete(key) {
      const wasBlocked = endsAt.delete(key)
      return limiter.delete(key) || wasBlocked
    },
    clear() {
      endsAt.clear()
      limiter.clear()
    },
    block(key, ms, at = clock.now()) {
      checkAsk(0, at)
      check(ms > 0, 'ms > 0', ms)
      let left = SWEPT
      for (const [other, end] of endsAt) {
        if (left-- === 0) break
        // Blocks that are not over move to the end, so that all are checked in turn.
        endsAt.delete(other)
        if (end > at) endsAt.set(other, end)
      }
      endsAt.set(key, at + ms)
    },
    unblock(key) {
      const wasBlocked = restMs(key, clock.now()) > 0
      endsAt.delete(key)
      return wasBlocked
    },
  }
}
