import type { Decision } from '../core/limit/limiter.ts'
import { check, checkType } from '../core/shared/check.ts'
import { safely } from '../core/shared/report.ts'
import { LONGEST_MS, systemTimers, type Timers } from '../core/time/clock.ts'
import { parts, type RedisLimiter } from './create-redis-limiter.ts'

export interface LeasedLimiterOptions {
  /** How many tokens a lease takes: above 0, at most the burst of the limit. */
  share: number
  /** How long a lease may be used, in ms, above 0. Unused tokens are then given back. @default 1000 */
  maxAgeMs?: number | undefined
  /** @default systemClock */
  clock?: Timers | undefined
  /** Called when tokens could not be given back. They are lost until the limit refills. Errors it throws are reported. */
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
  /** Resolves with whether `cost` (at least 0, default 1) is allowed for `key`; takes it if so. */
  allow: (key: string, cost?: number) => Promise<boolean>
  /** Like `allow`, with when to try again. `remaining` is the rest of the lease plus what the limit had left beside it. */
  decide: (key: string, cost?: number) => Promise<Decision>
  /** Resets the limit of `key`, and forgets its lease here. Rejects if Redis fails. */
  delete: (key: string) => Promise<void>
  /** Gives back the rest of all leases; resolves when that is done. */
  [Symbol.asyncDispose]: () => Promise<void>
  /** The same, without waiting. */
  [Symbol.dispose]: () => void
}

interface Lease {
  left: number
  /** What the limit had left beside the lease. */
  readonly beside: number
  /** The instant of the request. */
  readonly from: number
  readonly cancelTimer: () => void
}

/**
 * Returns a local tier in front of a Redis limiter: it takes `share` tokens at once and decides from them in this process, with
 * one round trip per lease. When fewer are left, it takes at most half a share. Calls for one key wait for the same lease; a
 * call that three leases did not serve asks Redis by itself.
 *
 * Tokens may be used up to `maxAgeMs` after they were taken. So in any L seconds at most as much passes as the rule allows in
 * L + maxAgeMs / 1000 seconds, and with n processes at most n · share more than it allows in L. At most n · share tokens are
 * unused at a time, each for at most `maxAgeMs`; a process that crashes loses its share.
 *
 * @throws RangeError for a `share` not above 0 or above the burst of the limit, or a `maxAgeMs` not above 0; TypeError for an
 * `onEvent` that is not a function.
 */
export function createLeasedLimiter(
  limiter: RedisLimiter,
  { share, maxAgeMs = 1000, clock = systemTimers, onEvent }: LeasedLimiterOptions,
): LeasedLimiter {
  const { burst } = limiter.snapshot()
  check(share > 0 && share <= burst, `0 < share <= ${burst}`, share)
  check(maxAgeMs > 0, 'maxAgeMs > 0', maxAgeMs)
  if (onEvent !== undefined) checkType('function', 'onEvent', onEvent)
  const leases = new Map<string, Lease>()
  /** Requests for leases, and deletions. */
  const requested = new Map<string, Promise<unknown>>()
  const givenBack = new Set<Promise<void>>()
  const own = parts.get(limiter)
  const ask = own?.ask ?? limiter.decide

  async function decide(key: string, cost = 1): Promise<Decision> {
    checkType('string', 'key', key)
    check(cost >= 0, 'cost >= 0', cost, TypeError)
    try {
      for (let turns = 0; ; turns++) {
        const lease = leases.get(key)
        if (lease && lease.left >= cost && clock.now() - lease.from < maxAgeMs) {
          lease.left -= cost
          return { allowed: true, retryAfterMs: 0, remaining: Math.floor(lease.left + lease.beside) }
        }
        // Each lease was used up by others. Waiting for more of them might never end.
        if (turns > 2) return await ask(key, cost)
        const earlier = requested.get(key)
        if (!earlier) return await request(key, takeLease(key, cost))
        await earlier
      }
    } catch (error) {
      // All calls that waited for the failed request are decided at once, and nothing is leased.
      if (!own) throw error
      return own.decideAlone(key, cost, error)
    }
  }

  /** Other calls for `key` wait until `running` has settled. */
  function request<Result>(key: string, running: Promise<Result>): Promise<Result> {
    const requesting = running.finally(() => {
      if (requested.get(key) === requesting) requested.delete(key)
    })
    requested.set(key, requesting)
    return requesting
  }

  /** Takes a lease and spends `cost` of it. Tries a whole share, then what is left up to half a share, then the cost alone. */
  async function takeLease(key: string, cost: number): Promise<Decision> {
    drop(key)
    let wanted = Math.max(share, cost)
    for (;;) {
      const from = clock.now()
      const { outages } = limiter.snapshot()
      const decision = await ask(key, wanted)
      // A wrapped limiter decides by `onOutage` itself. That is no lease.
      if (!own && limiter.snapshot().outages > outages) return decision
      if (decision.allowed) {
        const left = wanted - cost
        const beside = decision.remaining
        if (left > 0) {
          const cancelTimer = clock.after(Math.min(maxAgeMs, LONGEST_MS), () => drop(key))
          leases.set(key, { left, beside, from, cancelTimer })
        }
        return { ...decision, remaining: Math.floor(beside + left) }
      }
      if (wanted === cost) return decision
      // The second attempt may find the tokens gone. The third takes the cost only.
      wanted = wanted === share ? Math.max(cost, Math.min(share / 2, decision.remaining)) : cost
    }
  }

  /** Removes the lease of `key`, if there is one. */
  function end(key: string): Lease | undefined {
    const lease = leases.get(key)
    lease?.cancelTimer()
    leases.delete(key)
    return lease
  }

  /** Ends the lease of `key`, if there is one, and gives back what is left. */
  function drop(key: string): void {
    const lease = end(key)
    if (!lease?.left) return
    const done = limiter
      .giveBack(key, lease.left, Math.max(clock.now() - lease.from, 0))
      .catch((error: unknown) => {
        safely(() => onEvent?.({ type: 'lost', key, amount: lease.left, error }))
      })
    givenBack.add(done)
    void done.then(() => givenBack.delete(done))
  }

  async function reset(key: string): Promise<void> {
    await requested.get(key)?.catch(() => undefined)
    end(key)
    return limiter.delete(key)
  }

  async function dispose(): Promise<void> {
    // A call that waited for a request may have made another.
    while (requested.size > 0) await Promise.allSettled(requested.values())
    for (const key of leases.keys()) drop(key)
    await Promise.all(givenBack)
  }

  return {
    allow: async (key, cost) => (await decide(key, cost)).allowed,
    decide,
    delete: (key) => request(key, reset(key)),
    [Symbol.asyncDispose]: dispose,
    [Symbol.dispose]: () => void dispose(),
  }
}
