import type { Decision } from '../core/limit/limiter.ts'
import { checkAbove, checkFrom, checkNumber, checkUpTo } from '../core/shared/check.ts'
import { safely } from '../core/shared/report.ts'
import { createAlarm } from '../core/time/alarm.ts'
import { systemClock, type Clock } from '../core/time/clock.ts'
import type { RedisLimiter } from './create-redis-limiter.ts'

export interface LeasedLimiterOptions {
  /** Tokens that a lease takes at once: above 0, at most what the limit allows at once. */
  share: number
  /** How long a lease may be used, in ms, above 0. Unused tokens are then given back. @default 1000 */
  maxAgeMs?: number | undefined
  /** @default systemClock */
  clock?: Clock | undefined
  /** Called when tokens could not be given back: they are lost until the limit refills. */
  onEvent?: ((event: LeaseLostEvent) => void) | undefined
}

export interface LeaseLostEvent {
  type: 'lost'
  key: string
  amount: number
  error: unknown
}

/** Decides from leases in this process, and takes a new lease when one is used up. */
export interface LeasedLimiter {
  /** Resolves with whether `cost` (from 0, default 1) is allowed for `key`; takes it if so. */
  allow: (key: string, cost?: number) => Promise<boolean>
  /** As `allow`, with when to try again. `remaining` is the rest of the lease and what the limit had left beside it. */
  decide: (key: string, cost?: number) => Promise<Decision>
  /** Resets the limit of `key`, and forgets its lease here. Rejects if Redis fails. */
  delete: (key: string) => Promise<void>
  /** Gives back the rest of all leases; resolves when that is done. Later decisions are made without leases. */
  [Symbol.asyncDispose]: () => Promise<void>
}

interface Lease {
  left: number
  /** What the limit had left beside it. */
  readonly beside: number
  /** The instant at which it was requested. */
  readonly from: number
  /** Whether it was taken in Redis, so that it can be given back there. */
  readonly isShared: boolean
}

/**
 * A local tier before a limiter in Redis: takes `share` tokens at once and decides from them in this process, with one round trip
 * for each lease. If less than a share is left, it takes that. Calls for one key wait for the same lease.
 *
 * Tokens may be used up to `maxAgeMs` after they were taken. So in any time L (in seconds) at most what the rule allows in
 * L + maxAgeMs / 1000 passes, and with n processes at most n · share more than it allows in L. At most n · share tokens are
 * unused at a time, each for at most `maxAgeMs`; a process that crashes loses its share.
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
  // The oldest first: all have the same age limit.
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

  /** Takes a lease and `cost` of it: a whole share, or what is left, or the cost alone. */
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
      // The tokens may be gone at the second try: the third takes no more than the cost.
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
    const done = limiter.giveBack(key, lease.left, clock.now() - lease.from).catch((error: unknown) => {
      safely(() => onEvent?.({ type: 'lost', key, amount: lease.left, error }))
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
