import type { Decision } from '../core/limit/limiter.ts'
import { checkAbove, checkFrom, checkNumber, checkUpTo } from '../core/shared/check.ts'
import { report } from '../core/shared/report.ts'
import { createAlarm } from '../core/time/alarm.ts'
import { systemClock, type Clock } from '../core/time/clock.ts'
import type { RedisLimiter } from './create-redis-limiter.ts'

export interface LeasedLimiterOptions {
  /** Tokens that a lease takes at once: above 0, at most what the limit allows at once. */
  share: number
  /** How long a lease may be used, in ms, above 0. What is left then is given back. @default 1000 */
  maxAgeMs?: number | undefined
  /** @default systemClock */
  clock?: Clock | undefined
  /** Called when something could not be given back: it is lost until the limit refills. */
  onEvent?: ((event: LeaseLostEvent) => void) | undefined
}

export interface LeaseLostEvent {
  type: 'lost'
  key: string
  amount: number
  error: unknown
}

/** Decides from leases in this process, and takes a new one where that is used up. */
export interface LeasedLimiter {
  /** Resolves with whether `cost` (from 0, default 1) is allowed for `key`; takes it if so. */
  allow: (key: string, cost?: number) => Promise<boolean>
  /** As `allow`, with when to try again. `remaining` is what the lease has left, and what was left beside it when it was taken. */
  decide: (key: string, cost?: number) => Promise<Decision>
  /** Makes the limit of `key` as new, and forgets its lease here. Rejects if Redis fails. */
  delete: (key: string) => Promise<void>
  /** Gives back what is left of all leases; resolves when that is done. Decisions are then made without leases. */
  [Symbol.asyncDispose]: () => Promise<void>
}

interface Lease {
  left: number
  /** What the limit had left beside it. */
  readonly beside: number
  /** The instant before it was asked for. */
  readonly from: number
  /** Whether it was taken in Redis, so that it can be given back there. */
  readonly isShared: boolean
}

/**
 * A local tier before a limiter in Redis: takes `share` tokens at once and decides from them in this process, with one round trip a
 * lease. Where a whole share is not there, it takes what is there. Calls for one key that need a lease wait for the same one.
 *
 * With n processes, tokens are used up to `maxAgeMs` after they were taken. So in any time L (in seconds) the most that passes
 * is what the rule allows in L + maxAgeMs / 1000, and never more than n · share over what it allows in L. Unused lie at most n · share
 * at a time, each for `maxAgeMs` at most; a process that crashes loses its share.
 *
 * @throws RangeError for a share not above 0 or above the burst of the limit, a `maxAgeMs` not above 0.
 */
export function createLeasedLimiter(
  limiter: RedisLimiter,
  { share, maxAgeMs = 1000, clock = systemClock, onEvent }: LeasedLimiterOptions,
): LeasedLimiter {
  checkAbove(0, 'share', share)
  checkUpTo(limiter.snapshot().burst, 'share', share)
  checkAbove(0, 'maxAgeMs', maxAgeMs)
  // The oldest first: all live as long.
  const leases = new Map<string, Lease>()
  const asked = new Map<string, Promise<Decision>>()
  const givenBack = new Set<Promise<void>>()
  const alarm = createAlarm(clock, expire)
  let isDisposed = false

  async function decide(key: string, cost = 1): Promise<Decision> {
    checkNumber('cost', cost)
    checkFrom(0, 'cost', cost)
    for (;;) {
      const lease = leases.get(key)
      if (lease && lease.left >= cost && clock.now() - lease.from < maxAgeMs) {
        lease.left -= cost
        return { allowed: true, retryAfterMs: 0, remaining: Math.floor(lease.left + lease.beside) }
      }
      const pending = asked.get(key)
      if (!pending) break
      await pending.catch(() => undefined)
    }
    const asking = ask(key, cost).finally(() => asked.delete(key))
    asked.set(key, asking)
    return asking
  }

  /** Takes a lease and `cost` of it: a whole share, or what is there, or the cost alone. */
  async function ask(key: string, cost: number): Promise<Decision> {
    drop(key)
    let decision: Decision
    let wanted = isDisposed ? cost : Math.max(share, cost)
    for (;;) {
      const from = clock.now()
      const { outages } = limiter.snapshot()
      decision = await limiter.decide(key, wanted)
      if (decision.allowed) {
        const isShared = limiter.snapshot().outages === outages
        keep(key, { left: wanted - cost, beside: decision.remaining, from, isShared })
        return { ...decision, remaining: Math.floor(decision.remaining + wanted - cost) }
      }
      if (wanted === cost) return decision
      // What was there may be gone by the second time: the third asks for no more than it needs.
      wanted = wanted === share ? Math.max(cost, Math.min(share / 2, decision.remaining)) : cost
    }
  }

  function keep(key: string, lease: Lease): void {
    if (lease.left === 0) return
    leases.set(key, lease)
    if (isDisposed) drop(key)
    else if (!alarm.isSet()) alarm.set(lease.from + maxAgeMs)
  }

  /** Ends the lease of `key`, if there is one, and gives back what is left. */
  function drop(key: string): void {
    const lease = leases.get(key)
    leases.delete(key)
    if (!lease || lease.left === 0 || !lease.isShared) return
    const done = limiter
      .giveBack(key, lease.left, Math.max(clock.now() - lease.from, 0))
      .catch((error: unknown) => {
        try {
          onEvent?.({ type: 'lost', key, amount: lease.left, error })
        } catch (thrown) {
          report(thrown)
        }
      })
    givenBack.add(done)
    void done.then(() => givenBack.delete(done))
  }

  function expire(at: number): void {
    for (const [key, { from }] of leases) {
      if (from + maxAgeMs > at) return alarm.set(from + maxAgeMs)
      drop(key)
    }
  }

  return {
    allow: async (key, cost) => (await decide(key, cost)).allowed,
    decide,
    delete(key) {
      leases.delete(key)
      return limiter.delete(key)
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
      alarm.clear()
      await Promise.allSettled(asked.values())
      for (const key of leases.keys()) drop(key)
      await Promise.all(givenBack)
    },
  }
}
