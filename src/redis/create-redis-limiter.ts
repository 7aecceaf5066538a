import type { KeyedLimiter } from '../core/limit/keyed-limiter.ts'
import type { Decision } from '../core/limit/limiter.ts'
import { check, checkEach, checkType } from '../core/shared/check.ts'
import { adviseOnChoices, adviseOnValue } from '../core/shared/develop.ts'
import { safely } from '../core/shared/report.ts'
import { createListeners, type Observable } from '../core/shared/store.ts'
import { systemTime, type Clock } from '../core/time/clock.ts'
import type { RunScript } from './clients.ts'
import { inTime } from './in-time.ts'
import type { RedisRule } from './rules/script.ts'

export interface RedisLimiterOptions {
  /** Runs a script: `withIoredis(client)`, or your own function. */
  run: RunScript
  /** The prefix of each key. Limiters with the same prefix, kind of rule and key share that limit. @default 'lull:' */
  prefix?: string | undefined
  /** The longest time a decision waits for Redis, in ms, above 0. @default 100 */
  timeoutMs?: number | undefined
  /**
   * The decision while Redis fails: 'open' allows, 'closed' refuses, a keyed limiter decides in this process. Each process has
   * its own keyed limiter: divide the limit by the number of processes. @default 'open'
   */
  onOutage?: 'open' | 'closed' | Pick<KeyedLimiter, 'decide' | 'peek'> | undefined
  /** Of how many keys this process remembers refusals, so that repeated ones cost no round trip. 0: none. @default 10_000 */
  cacheRefusals?: number | undefined
  /** Whose time is used. 'client' reads `clock.wall()`, for servers that refuse `TIME` in scripts. @default 'server' */
  time?: 'server' | 'client' | undefined
  /** Times timeouts and remembered refusals. @default systemClock */
  clock?: Clock | undefined
  /** Called with each refusal, each decision made by `onOutage`, and each recovery. Errors it throws are reported. */
  onEvent?: ((event: RedisLimiterEvent) => void) | undefined
}

type Happening =
  | { type: 'denied'; key: string; cost: number }
  /** `onOutage` decided. `error` is why Redis did not. */
  | { type: 'outage'; key: string; cost: number; allowed: boolean; error: unknown }
  /** Redis has replied to this limiter again, after an `outage`. */
  | { type: 'recovered' }

/** An event. `at` is an instant of this process's clock. */
export type RedisLimiterEvent = Happening & { at: number }

/** The decisions of this process. The same object while nothing has changed. */
export interface RedisLimiterSnapshot {
  readonly ratePerSecond: number
  readonly burst: number
  readonly allowed: number
  readonly denied: number
  /** How many decisions `onOutage` made, those of `peek` included. */
  readonly outages: number
  /** Whether the circuit was open at the last decision: Redis then receives only probes. */
  readonly isDown: boolean
}

/** A limit for each key, shared by all processes that use the same Redis. */
export interface RedisLimiter extends Observable<RedisLimiterSnapshot> {
  /** Resolves with whether `cost` (at least 0, default 1) is allowed for `key`; takes it if so. */
  allow: (key: string, cost?: number) => Promise<boolean>
  /** Like `allow`, with when to try again and what remains. */
  decide: (key: string, cost?: number) => Promise<Decision>
  /** As `decide`, but takes and writes nothing: `remaining` is what there is now. */
  peek: (key: string, cost?: number) => Promise<Decision>
  /**
   * Gives back `amount`, taken at most `ageMs` ago, as far as it still counts. This process forgets refusals of `key`. Rejects if
   * Redis fails or a number is below 0.
   */
  giveBack: (key: string, amount: number, ageMs: number) => Promise<void>
  /** Resets the limit of `key`. Other processes may refuse from memory for up to a minute. Rejects if Redis fails. */
  delete: (key: string) => Promise<void>
  /** Resolves when no decision waits for Redis, so that the client can be closed. */
  [Symbol.asyncDispose]: () => Promise<void>
}

type Op = 'decide' | 'peek'
type Refusal = Decision & { at: number }

/** The state that all limiters with the same `run` share. */
const newConnection = () => ({
  /** Cached refusals by key, oldest first, and by cost. */
  refusals: new Map<string, Map<number, Refusal>>(),
  /** Failures in a row, and the last error. */
  failures: 0,
  error: undefined as unknown,
  /** The instant of the next probe while the circuit is open. */
  retryAt: 0,
})

/** The two parts of `decide`, for `createLeasedLimiter`. */
interface Parts {
  /** Rejects if Redis fails. */
  ask: (key: string, cost: number) => Promise<Decision>
  /** Makes the decision that Redis failed to make. */
  decideAlone: (key: string, cost: number, error: unknown) => Decision
}

export const parts: WeakMap<RedisLimiter, Parts> = new WeakMap()

const connections = new WeakMap<RunScript, ReturnType<typeof newConnection>>()

/** Consecutive failures that open the circuit. */
const TRIPPED = 5
/** The interval of probes of an open circuit, in ms. */
const PAUSE_MS = 200
/** The longest time a refusal is cached, in ms, so that a `delete` elsewhere takes effect. */
const REMEMBERED_MS = 60_000
/** For how many costs the refusals of a key are cached. */
const COSTS = 10

/**
 * Returns a limiter that many processes share. Each decision by its `rule` is one atomic script and one round trip.
 *
 * An outage never makes a decision reject, and a decision takes at most `timeoutMs` (plus a turn of the event loop): when Redis
 * fails or is late, `onOutage` decides and an event reports it. After five failures in a row a circuit opens. Then one decision
 * every 200 ms is sent as a probe, or the next one after a late reply. A probe that succeeds ends the outage.
 *
 * A refusal takes nothing. Every key has a TTL: at most twice the time in which an unused limit recovers fully, plus two seconds,
 * plus two days for a bucket whose `initial` is below its burst.
 *
 * @throws TypeError for a rule not from `lull/redis`, or a `run` or `onEvent` that is not a function; RangeError for an option out of
 * range. Decisions reject with a TypeError if the key is not a string or the cost not a number, a RangeError for a cost below 0 or NaN.
 */
export function createRedisLimiter(
  rule: RedisRule,
  {
    run,
    prefix = 'lull:',
    timeoutMs = 100,
    onOutage = 'open',
    cacheRefusals = 10_000,
    time = 'server',
    clock = systemTime,
    onEvent,
  }: RedisLimiterOptions,
): RedisLimiter {
  if (!(rule as RedisRule | undefined)?.script) throw new TypeError('Expected a rule of lull/redis')
  checkType('function', 'run', run)
  adviseOnValue('string', 'prefix', prefix)
  if (onEvent !== undefined) checkType('function', 'onEvent', onEvent)
  check(timeoutMs > 0, 'timeoutMs > 0', timeoutMs)
  checkEach({ cacheRefusals })
  adviseOnChoices({ time: [time, 'server', 'client'] })
  adviseOnChoices({ onOutage: [onOutage, 'open', 'closed'] }, 'decide')

  const { ratePerSecond, burst } = rule
  const connection = connections.get(run) ?? newConnection()
  connections.set(run, connection)
  const { refusals } = connection
  const base = `${prefix}${rule.name}:`
  // At most half of the longest TTL, 347 days.
  const numbers = [Math.ceil(Math.min(rule.keepMs + 1000, 1.5e10)), ...rule.numbers].map(String)
  const { subscribe, notify } = createListeners()
  let shown: RedisLimiterSnapshot | undefined
  let allowed = 0
  let denied = 0
  let outages = 0
  /** Whether `onOutage` has decided since the last reply to this limiter. */
  let hasOutage = false
  const underWay = new Set<Promise<unknown>>()

  const isDown = (): boolean => connection.failures >= TRIPPED

  /** Reports a change of the snapshot, and an event if there is one. */
  function emit(event?: Happening | false): void {
    shown = undefined
    if (event) safely(() => onEvent?.({ at: clock.now(), ...event }))
    notify()
  }

  /** Runs the script, unless the circuit is open. Rejects within `timeoutMs`. */
  async function send(op: string | number, key: string, cost = 0): Promise<unknown> {
    checkType('string', 'key', key)
    if (isDown()) {
      if (clock.now() < connection.retryAt) throw connection.error
      // One probe at a time; other decisions do not wait for it. It may never end: a Worker's request may be cancelled.
      connection.retryAt = clock.now() + timeoutMs + PAUSE_MS
    }
    let waiting: Promise<unknown> | undefined
    try {
      const args = [`${cost}`, `${op}`, time === 'client' ? `${clock.wall()}` : '', ...numbers]
      const running = run(rule.script, [base + key], args).then((reply) => {
        // A late reply also shows that Redis is back: the next decision is the probe.
        connection.retryAt = 0
        return reply
      })
      underWay.add((waiting = inTime(running, timeoutMs, clock)))
      const reply = await waiting
      connection.failures = 0
      if (hasOutage) emit({ type: 'recovered' })
      hasOutage = false
      return reply
    } catch (error) {
      connection.failures++
      connection.error = error
      connection.retryAt = clock.now() + PAUSE_MS
      throw error
    } finally {
      underWay.delete(waiting!)
    }
  }

  /** A decision without Redis. */
  const fixedDecision = (allowed: boolean): Decision => ({
    allowed,
    retryAfterMs: allowed ? 0 : PAUSE_MS,
    remaining: allowed ? Math.floor(burst) : 0,
  })

  /** Decides from a cached refusal or asks Redis. Rejects if Redis fails. */
  function ask(op: Op, key: string, cost: number): Decision | Promise<Decision> {
    if (ratePerSecond === Infinity) return count(op, key, cost, fixedDecision(true))
    const known = cacheRefusals > 0 && refusals.get(base + key)?.get(cost)
    if (known) {
      const { retryAfterMs, remaining } = known
      const ageMs = clock.now() - known.at
      if (ageMs < Math.min(retryAfterMs, REMEMBERED_MS))
        return count(op, key, cost, { allowed: false, retryAfterMs: retryAfterMs - ageMs, remaining })
    }
    return askRedis(op, key, cost)
  }

  async function askRedis(op: Op, key: string, cost: number): Promise<Decision> {
    const decision = read(await send(op, key, cost))
    // A bucket whose `initial` is below `burst` starts with a `decide`: the refusal of a `peek` must not keep it from Redis.
    if (op === 'peek') return decision
    if (!decision.allowed && cacheRefusals > 0) remember(key, cost, decision)
    // What was taken makes the remembered waits too short.
    if (decision.allowed && cost > 0) refusals.delete(base + key)
    return count(op, key, cost, decision)
  }

  function remember(key: string, cost: number, decision: Decision): void {
    const ofKey = refusals.get(base + key) ?? new Map<number, Refusal>()
    if (ofKey.size >= COSTS) ofKey.clear()
    refusals.set(base + key, ofKey.set(cost, { ...decision, at: clock.now() }))
    if (refusals.size > cacheRefusals) refusals.delete(refusals.keys().next().value!)
  }

  /** Makes the decision that Redis failed to make. */
  function decideAlone(op: Op, key: string, cost: number, error: unknown): Decision {
    const decision =
      typeof onOutage === 'object' ? onOutage[op](key, cost) : fixedDecision(onOutage === 'open')
    outages++
    hasOutage = true
    emit({ type: 'outage', key, cost, allowed: decision.allowed, error })
    return count(op, key, cost, decision)
  }

  function count(op: Op, key: string, cost: number, decision: Decision): Decision {
    if (op === 'decide') {
      if (decision.allowed) allowed++
      else denied++
      emit(!decision.allowed && { type: 'denied', key, cost })
    }
    return decision
  }

  function decide(op: Op, key: string, cost = 1): Decision | Promise<Decision> {
    checkType('string', 'key', key)
    check(cost >= 0, 'cost >= 0', cost, TypeError)
    const decision = ask(op, key, cost)
    return 'then' in decision
      ? decision.catch((error: unknown) => decideAlone(op, key, cost, error))
      : decision
  }

  const limiter: RedisLimiter = {
    async allow(key, cost) {
      const decision = decide('decide', key, cost)
      // An `await` would add a third to the cost of a cached refusal.
      return ('then' in decision ? await decision : decision).allowed
    },
    decide: async (key, cost) => decide('decide', key, cost),
    peek: async (key, cost) => decide('peek', key, cost),
    async giveBack(key, amount, ageMs) {
      check(amount >= 0, 'amount >= 0', amount, TypeError)
      check(ageMs >= 0, 'ageMs >= 0', ageMs, TypeError)
      await send(ageMs, key, -amount)
      refusals.delete(base + key)
    },
    async delete(key) {
      await send('delete', key)
      refusals.delete(base + key)
    },
    snapshot: () => (shown ??= { ratePerSecond, burst, allowed, denied, outages, isDown: isDown() }),
    subscribe,
    async [Symbol.asyncDispose]() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
  parts.set(limiter, {
    ask: async (key, cost) => ask('decide', key, cost),
    decideAlone: (key, cost, error) => decideAlone('decide', key, cost, error),
  })
  return limiter
}

function read(reply: unknown): Decision {
  // An empty reply would be 0.
  const [remaining, ms = 0] = (String(reply) || '-').split(' ').map(Number)
  if (!(remaining! >= 0)) throw new TypeError('Unexpected reply')
  return { allowed: ms === 0, retryAfterMs: ms < 1e30 ? ms : Infinity, remaining: remaining! }
}
