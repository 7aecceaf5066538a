import type { KeyedLimiter } from '../core/limit/keyed-limiter.ts'
import type { Decision } from '../core/limit/limiter.ts'
import { checkAbove, checkFrom, checkFunction, checkNumberFrom, checkOneOf } from '../core/shared/check.ts'
import { safely } from '../core/shared/report.ts'
import { createListeners } from '../core/shared/store.ts'
import { systemClock, type Clock } from '../core/time/clock.ts'
import type { RunScript } from './clients.ts'
import { connectionOf } from './connection.ts'
import type { RedisRule } from './rules/script.ts'

export interface RedisLimiterOptions {
  /** Runs a script: `withIoredis(client)`, or a function of yours. */
  run: RunScript
  /** Put before each key. Limiters with one prefix, rule and key share that limit. @default 'lull:' */
  prefix?: string | undefined
  /** The longest that a decision waits for Redis, in ms, above 0. @default 100 */
  timeoutMs?: number | undefined
  /**
   * The decision while Redis fails: 'open' allows, 'closed' refuses, a keyed limiter decides in this process. Each process has its
   * own limiter: give it the limit divided by their number. @default 'open'
   */
  onOutage?: 'open' | 'closed' | Pick<KeyedLimiter, 'decide' | 'peek'> | undefined
  /** The most refusals remembered in this process, so that they cost no round trip. 0: none. @default 10_000 */
  cacheRefusals?: number | undefined
  /** Whose time counts. 'client' takes `clock.wall()`, for servers that refuse `TIME` in scripts. @default 'server' */
  time?: 'server' | 'client' | undefined
  /** For timeouts and remembered refusals. @default systemClock */
  clock?: Clock | undefined
  /** Called with each refusal, each decision made by `onOutage`, and each recovery. */
  onEvent?: ((event: RedisLimiterEvent) => void) | undefined
}

type Happening =
  /** Refused; `isRemembered`: without a round trip. */
  | { type: 'denied'; key: string; cost: number; isRemembered: boolean }
  /** Decided by `onOutage`. `error`: why Redis did not. */
  | { type: 'outage'; key: string; cost: number; allowed: boolean; error: unknown }
  /** Redis has replied again. */
  | { type: 'recovered' }

/** An event. `at` is the instant of this process's clock. */
export type RedisLimiterEvent = Happening & { at: number }

/** The decisions of this process. The same object as long as nothing changed. */
export interface RedisLimiterSnapshot {
  readonly ratePerSecond: number
  readonly burst: number
  readonly allowed: number
  readonly denied: number
  /** How many of both were made by `onOutage`. */
  readonly outages: number
  /** Whether the circuit was open at the last decision: Redis gets only probes. */
  readonly isDown: boolean
}

/** A limit for each key, shared by all processes that use the same Redis. */
export interface RedisLimiter {
  /** Resolves with whether `cost` (from 0, default 1) is allowed for `key`; takes it if so. */
  allow: (key: string, cost?: number) => Promise<boolean>
  /** As `allow`, with when to try again and what remains. */
  decide: (key: string, cost?: number) => Promise<Decision>
  /** Returns what `decide` would return. Takes and writes nothing. */
  peek: (key: string, cost?: number) => Promise<Decision>
  /** Gives back `amount` that was taken at most `ageMs` ago, as far as it still counts. Rejects if Redis fails. */
  giveBack: (key: string, amount: number, ageMs: number) => Promise<void>
  /** Resets the limit of `key`. Other processes may refuse from memory for a minute at most. Rejects if Redis fails. */
  delete: (key: string) => Promise<void>
  snapshot: () => RedisLimiterSnapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
  /** Resolves when no call to Redis is under way. Decisions are then made by `onOutage`. Does not close the client. */
  [Symbol.asyncDispose]: () => Promise<void>
}

type Op = 'decide' | 'peek'

/** A call to Redis without a reply that is not late yet. */
interface Call {
  due: number
  end: (error: Error | undefined, reply?: unknown) => void
}

/** Failures in a row that open the circuit. */
const TRIPPED = 5
/** A refusal is remembered no longer, in ms, so that a `delete` elsewhere is noticed. */
const REMEMBERED_MS = 60_000

/**
 * Returns a limiter by one `rule` that many processes share, with one atomic script and one round trip for each decision.
 *
 * A decision never rejects and takes at most `timeoutMs` (plus a turn of the event loop): when Redis fails or is late, `onOutage`
 * decides and an event reports it. After five failures in a row a circuit opens: one decision every 2 · `timeoutMs` (at most a
 * second), or as soon as a late reply arrives, is sent as a probe; its success ends the outage.
 *
 * A refusal takes nothing. Every key has a TTL: at most twice the time after which an unused limit is as new, and two seconds.
 *
 * @throws TypeError for a rule that is not of `lull/redis` or a `run` that is not a function; RangeError for an option out of range.
 * Decisions reject with a TypeError if the key is not a string or the cost not a number, with a RangeError for a cost below 0 or NaN.
 */
export function createRedisLimiter(
  rule: RedisRule,
  {
    run,
    prefix = 'lull:',
    timeoutMs: givenMs = 100,
    onOutage = 'open',
    cacheRefusals = 10_000,
    time = 'server',
    clock = systemClock,
    onEvent,
  }: RedisLimiterOptions,
): RedisLimiter {
  if (!('script' in rule)) throw new TypeError('Expected a rule of lull/redis')
  checkFunction('run', run)
  checkAbove(0, 'timeoutMs', givenMs)
  checkFrom(0, 'cacheRefusals', cacheRefusals)
  if (typeof onOutage !== 'object') checkOneOf(['open', 'closed'], 'onOutage', onOutage)
  checkOneOf(['server', 'client'], 'time', time)

  const { ratePerSecond, burst } = rule
  // Platforms have no longer timers.
  const timeoutMs = Math.min(givenMs, 2 ** 31 - 1)
  const pauseMs = Math.min(2 * timeoutMs, 1000)
  const connection = connectionOf(run)
  const { refusals } = connection
  const base = `${prefix}${rule.name}:`
  // Half of the longest TTL, 347 days.
  const numbers = [Math.ceil(Math.min(rule.keepMs + 1000, 1.5e10)), ...rule.numbers].map(String)
  // The oldest first.
  const underWay = new Set<Call>()
  const { subscribe, notify } = createListeners()
  let shown: RedisLimiterSnapshot | undefined
  let allowed = 0
  let denied = 0
  let outages = 0
  let isDisposed = false
  let finish = (): void => undefined
  let cancelTimer: (() => void) | undefined

  const isDown = (): boolean => connection.failures >= TRIPPED

  function emit(event: Happening): void {
    if (onEvent) safely(() => onEvent({ at: clock.now(), ...event }))
  }

  /** Runs the script, unless the circuit is open. Rejects within `timeoutMs`. */
  const send = (op: string | number, key: string, cost = 0): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const now = clock.now()
      if (isDisposed) throw new Error('Disposed')
      if (isDown()) {
        if (now < connection.retryAt) throw connection.error
        // One probe at a time; the other decisions do not wait for it.
        connection.retryAt = Infinity
      }
      const call: Call = {
        due: now + timeoutMs,
        end(error, reply) {
          // A late reply: Redis is back, and the next decision is the probe.
          if (!underWay.delete(call)) connection.retryAt = error ? connection.retryAt : 0
          else if (error) {
            connection.failures++
            connection.error = error
            connection.retryAt = clock.now() + pauseMs
            reject(error)
          } else {
            if (connection.failures > 0) emit({ type: 'recovered' })
            connection.failures = 0
            resolve(reply)
          }
          if (underWay.size > 0) return
          cancelTimer?.()
          finish()
        },
      }
      if (underWay.add(call).size === 1) watch()
      const args = [`${cost}`, ...numbers]
      if (op !== 'decide' || time === 'client') args.push(`${op}`, time === 'client' ? `${clock.wall()}` : '')
      try {
        run(rule.script, [base + key], args).then((reply) => call.end(undefined, reply), call.end)
      } catch (error) {
        call.end(error as Error)
      }
    })

  /** Times out calls when they are late. */
  function watch(): void {
    const [oldest] = underWay
    cancelTimer = clock.after(oldest!.due - clock.now(), () => {
      // In a process that was busy, timers run before replies that have arrived: this gives those one turn more.
      cancelTimer = clock.after(0, () => {
        for (const { due, end } of underWay) if (due <= clock.now()) end(new Error('No reply in time'))
        if (underWay.size > 0) watch()
      })
    })
  }

  /** One decision from beginning to end: a remembered refusal, or what Redis decides, or `onOutage`. */
  function decide(op: Op, key: string, cost = 1): Decision | Promise<Decision> {
    if (typeof key !== 'string') throw new TypeError('Expected a string key')
    checkNumberFrom(0, 'cost', cost)
    if (rule.isUnlimited) return count(op, key, cost, { allowed: true, retryAfterMs: 0, remaining: burst })
    const id = `${base}${key} ${cost}`
    const known = refusals.get(id)
    const ageMs = known ? clock.now() - known.at : REMEMBERED_MS
    if (ageMs >= REMEMBERED_MS || ageMs >= known!.retryAfterMs) return ask(op, key, cost, id)
    const { retryAfterMs, remaining } = known!
    return count(op, key, cost, { allowed: false, retryAfterMs: retryAfterMs - ageMs, remaining }, true)
  }

  async function ask(op: Op, key: string, cost: number, id: string): Promise<Decision> {
    let decision: Decision
    try {
      decision = read(await send(op, key, cost))
      if (!decision.allowed) remember(id, decision)
    } catch (error) {
      const allowed = onOutage === 'open'
      decision =
        typeof onOutage === 'object'
          ? onOutage[op](key, cost)
          : { allowed, retryAfterMs: allowed ? 0 : pauseMs, remaining: 0 }
      outages++
      emit({ type: 'outage', key, cost, allowed: decision.allowed, error })
    }
    return count(op, key, cost, decision)
  }

  function count(op: Op, key: string, cost: number, decision: Decision, isRemembered = false): Decision {
    if (op === 'decide') {
      if (decision.allowed) allowed++
      else {
        denied++
        emit({ type: 'denied', key, cost, isRemembered })
      }
    }
    shown = undefined
    notify()
    return decision
  }

  function remember(id: string, decision: Decision): void {
    refusals.delete(id)
    refusals.set(id, { ...decision, at: clock.now() })
    for (const oldest of refusals.keys()) if (refusals.size > cacheRefusals) refusals.delete(oldest)
  }

  return {
    async allow(key, cost) {
      const decision = decide('decide', key, cost)
      // An `await` costs a third of a remembered refusal.
      return ('then' in decision ? await decision : decision).allowed
    },
    decide: async (key, cost) => decide('decide', key, cost),
    peek: async (key, cost) => decide('peek', key, cost),
    async giveBack(key, amount, ageMs) {
      await send(ageMs, key, -amount)
    },
    async delete(key) {
      await send('delete', key)
      for (const id of refusals.keys()) if (id.startsWith(`${base}${key} `)) refusals.delete(id)
    },
    snapshot: () => (shown ??= { ratePerSecond, burst, allowed, denied, outages, isDown: isDown() }),
    subscribe,
    async [Symbol.asyncDispose]() {
      isDisposed = true
      if (underWay.size > 0) await new Promise<void>((resolve) => (finish = resolve))
    },
  }
}

function read(reply: unknown): Decision {
  const [remaining, ms = 0] = String(reply).split(' ').map(Number)
  if (!(remaining! >= 0)) throw new TypeError('Unexpected reply')
  return { allowed: ms === 0, retryAfterMs: ms < 1e30 ? ms : Infinity, remaining: remaining! }
}
