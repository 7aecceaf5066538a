import { check, checkEach, checkType } from '../core/shared/check.ts'
import { createListeners, type Observable } from '../core/shared/store.ts'
import { safely } from '../core/shared/report.ts'
import { LONGEST_MS, systemTimers, type Timers } from '../core/time/clock.ts'
import type { RunScript } from './clients.ts'
import { inTime } from './in-time.ts'
import type { RedisScript } from './rules/script.ts'

/** The limiter of one member: a limiter of `lull/core` whose rule has a rate. */
export interface RatedLimiter {
  snapshot: () => { allowed: number; denied: number; waiting?: number }
  configure: (changes: { ratePerSecond: number; burst?: number }) => void
}

export interface SharedRateOptions {
  /** Runs a script: `withIoredis(client)`, or your own function. */
  run: RunScript
  /** The name of the group. Its members share one rate. */
  group: string
  /** The rate of all members together, in events per second, at least 0 and below Infinity. */
  ratePerSecond: number
  /**
   * The burst of all members together, at least 0. Each member gets the same part of it as of the rate, but at least 1.
   * If it is left out, each limiter keeps its burst.
   */
  burst?: number | undefined
  /** The time between two reports of a member, in ms, above 0 and at most 2 · 10^9. Three periods without one end its share. @default 1000 */
  periodMs?: number | undefined
  /** A name that no other member has: `crypto.randomUUID()`. */
  member: string
  /** The prefix of the key. @default 'lull:' */
  prefix?: string | undefined
  /** @default systemClock */
  clock?: Timers | undefined
  /** Called with each change of the share and each failed report. Errors it throws are reported. */
  onEvent?: ((event: SharedRateEvent) => void) | undefined
}

export type SharedRateEvent =
  /** The share of this member or the number of members has changed. */
  | { type: 'shared'; ratePerSecond: number; members: number; at: number }
  /** A report has failed. */
  | { type: 'outage'; error: unknown; at: number }

/** The same object while nothing has changed. */
export interface SharedRateSnapshot {
  /** The share of this member, in events per second; undefined until a report has succeeded. */
  readonly ratePerSecond: number | undefined
  /** The number of known members, this one included; 0 until a report has succeeded. */
  readonly members: number
  /** Whether the last report failed. */
  readonly isDown: boolean
}

export interface SharedRate extends Observable<SharedRateSnapshot> {
  /** Leaves the group, so that the others get its share at their next report, and sets the limiter's rate to 0. */
  [Symbol.asyncDispose]: () => Promise<void>
  /** The same, without waiting. */
  [Symbol.dispose]: () => void
}

/**
 * State: a hash of the members, each with its demand, its share, the time of its report and its period. Shares are max-min fair:
 * a member whose demand is below an even part gets its demand, the others get even parts of the rest. What is left over is spread evenly.
 * A member never gets what another still has, so the shares never sum to more than the rate. A demand below 0 removes the member.
 * A member that missed a report, or is not stored, gets no more than it has: others may still use shares that ended in Redis.
 */
const script: RedisScript = {
  lua: `local key, me, demand, rate, period, most = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if demand < 0 then return redis.call('HDEL', key, me) end
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local all, demands, free, longest = redis.call('HGETALL', key), { demand }, rate, period
for i = 1, #all, 2 do
local wanted, share, at, every = string.match(all[i + 1], '(%S+) (%S+) (%S+) (%S+)')
if math.abs(now - at) > (all[i] == me and 2 or 3) * every then redis.call('HDEL', key, all[i])
elseif all[i] == me then most = rate else
demands[#demands + 1] = tonumber(wanted)
free = free - share
longest = math.max(longest, every)
end
end
table.sort(demands)
local level
for i, wanted in ipairs(demands) do
local even = rate / (#demands - i + 1)
if wanted > even then level = even break end
rate = rate - wanted
end
local share = math.max(0, math.min(free, most, level and math.min(demand, level) or demand + rate / #demands))
redis.call('HSET', key, me, string.format('%.17g %.17g %.17g %.17g', demand, share, now, period))
redis.call('PEXPIRE', key, math.ceil(math.min(3e10, 3 * longest + 1001)))
return string.format('%.17g %d', share, #demands)`,
  sha1: '1a9a13c5accfad7bd80d6b1a584f44c7d9bee9a7',
}

/**
 * Divides one rate among the processes of a group. Each decides with its own `limiter`, without a round trip. Every `periodMs` it
 * reports its demand, gets its max-min fair share and sets the limiter to that rate.
 *
 * The shares never sum to more than `ratePerSecond`. So in any L seconds at most ratePerSecond · L + `burst` pass, plus one for
 * each member (without `burst`: plus the burst of each). A member whose clock is fast by a fraction passes more by that fraction.
 * While Redis fails, a member keeps its last share, but at most ratePerSecond / known members. Its first report after that, or
 * after Redis lost its data, takes no more. If one member alone is cut off, the group exceeds the rate by at most that, from when
 * the others get its share after three periods. Until the first report succeeds, the limiter keeps its own rate. Demand is counted
 * in calls, refused and waiting ones included.
 *
 * Sources: Doorman (github.com/youtube/doorman); max-min fairness (Bertsekas and Gallager, 1992).
 *
 * @throws RangeError for a rate below 0 or infinite, a `burst` below 0, or a period not above 0; TypeError if `run` or `onEvent` is
 * not a function, or `group` or `member` not a string.
 */
export function createSharedRate(
  limiter: RatedLimiter,
  {
    run,
    group,
    ratePerSecond,
    burst,
    periodMs = 1000,
    member,
    prefix = 'lull:',
    clock = systemTimers,
    onEvent,
  }: SharedRateOptions,
): SharedRate {
  checkType('function', 'run', run)
  checkType('string', 'group', group)
  checkType('string', 'member', member)
  checkEach({ ratePerSecond, burst: burst === undefined ? 0 : burst })
  if (onEvent !== undefined) checkType('function', 'onEvent', onEvent)
  check(ratePerSecond < Infinity, 'ratePerSecond < Infinity', ratePerSecond)
  check(periodMs > 0 && periodMs <= LONGEST_MS, `0 < periodMs <= ${LONGEST_MS}`, periodMs)
  const { subscribe, notify } = createListeners()
  let snapshot: SharedRateSnapshot = { ratePerSecond: undefined, members: 0, isDown: false }
  /** The calls until the last report, and its instant. */
  let calls = 0
  let since = -Infinity
  let lastDemand = 0
  let cancelTimer: () => void
  let reporting = report(takeDemand())

  /** The demand per second: the greater of the last two periods, plus one call per period, so that an idle member can begin. */
  function takeDemand(): number {
    const now = clock.now()
    const { allowed, denied, waiting = 0 } = limiter.snapshot()
    // 0 in the first report.
    const demand = now > since ? ((allowed + denied + waiting - calls) * 1000) / (now - since) : 0
    const most = Math.max(demand, lastDemand)
    calls = allowed + denied
    since = now
    lastDemand = demand
    return most + 1000 / periodMs
  }

  const emit = (event: SharedRateEvent): void => safely(() => onEvent?.(event))

  async function send(demand: number): Promise<string> {
    const most = snapshot.ratePerSecond ?? ratePerSecond
    const args = [member, demand, ratePerSecond, periodMs, most].map(String)
    return String(await inTime(run(script, [`${prefix}shared:${group}`], args), periodMs / 2, clock))
  }

  async function report(demand: number): Promise<void> {
    cancelTimer = clock.after(periodMs, () => {
      reporting = report(takeDemand())
    })
    try {
      const reply = await send(demand)
      const [share, members] = reply.split(' ').map(Number) as [number, number]
      if (!(share >= 0 && members >= 1)) throw new TypeError(`Unexpected reply: ${reply}`)
      become({ ratePerSecond: share, members, isDown: false })
    } catch (error) {
      const { ratePerSecond: share, members } = snapshot
      const rest = share && Math.min(share, ratePerSecond / members)
      emit({ type: 'outage', error, at: clock.now() })
      become({ ratePerSecond: rest, members, isDown: true })
    }
  }

  function become(next: SharedRateSnapshot): void {
    const { ratePerSecond: share, members } = next
    const isChanged = share !== snapshot.ratePerSecond || members !== snapshot.members
    if (!isChanged && next.isDown === snapshot.isDown) return
    snapshot = next
    if (isChanged && share !== undefined) {
      limiter.configure({
        // With 0 the limiter would refuse the calls that wait for a share.
        ratePerSecond: share || ratePerSecond / 1e9,
        // A burst below 1 would never allow a call.
        ...(burst !== undefined && { burst: Math.max((burst * share) / ratePerSecond || 0, 1) }),
      })
      emit({ type: 'shared', ratePerSecond: share, members, at: clock.now() })
    }
    notify()
  }

  async function dispose(): Promise<void> {
    cancelTimer()
    await reporting
    limiter.configure({ ratePerSecond: 0 })
    await send(-1).catch((error: unknown) => emit({ type: 'outage', error, at: clock.now() }))
  }

  return {
    snapshot: () => snapshot,
    subscribe,
    [Symbol.asyncDispose]: dispose,
    [Symbol.dispose]: () => void dispose(),
  }
}
