// Measures how well n instances keep to one limit, in virtual time: leases, a shared rate, and rate / n each.
// A real server runs the scripts with replaced time. `npm run shared` writes the table.
import { createLimiter, tokenBucket } from 'lull/core'
import {
  createLeasedLimiter,
  createRedisLimiter,
  createSharedRate,
  tokenBucket as sharedBucket,
  type RunScript,
} from 'lull/redis'
import { createManualClock, type ManualClock } from 'lull/testing'
import { createRandom } from '../../field/random.ts'
import { tracked, withGivenTime } from '../servers/limits.ts'

export const RATE = 1000
export const SECONDS = 40
/** Excludes the first seconds, in which all instances start, from the unused part. */
const SETTLED_S = 5
const SHARE = 10
const MAX_AGE_MS = 500
const TICK_MS = 50
/** Slows time down by this factor, so that no TTL, which uses real time, expires meanwhile. */
const SLOW = 1000

/** Calls a second by instance `index` of `n` at a second. */
export interface Traffic {
  name: string
  /** All instances together, as a multiple of the rate. */
  load: number
  weight: (index: number, n: number, second: number) => number
}

export const traffics: readonly Traffic[] = [
  { name: 'even, half of the limit', load: 0.5, weight: () => 1 },
  { name: 'even, twice the limit', load: 2, weight: () => 1 },
  {
    name: 'skewed: a tenth of them has nine tenths',
    load: 2,
    weight: (index, n) => (index < n / 10 ? 81 : 1),
  },
  {
    name: 'bursts: each a quarter of the time, four times as much',
    load: 1,
    weight: (index, _, second) => ((index * 7 + second / 4) % 4 < 1 ? 4 : 0.01),
  },
]

/** Changes to instances during the run. */
export interface Life {
  name: string
  /** Whether instance `index` of `n` is up at a second. It goes down by a crash, and gives nothing back. */
  isUp: (index: number, n: number, second: number) => boolean
  /** The clock offset of an instance in ms, and its drift. */
  skew?: (index: number) => { offsetMs: number; drift: number }
}

export const lives: readonly Life[] = [
  { name: '', isUp: () => true },
  { name: 'half join after 10 s', isUp: (index, n, second) => index < n / 2 || second >= 10 },
  { name: 'half crash after 10 s', isUp: (index, n, second) => index < n / 2 || second < 10 },
  {
    name: 'clocks off by up to an hour, fast or slow by up to 2 %',
    isUp: () => true,
    skew: (index) => ({ offsetMs: ((index % 7) - 3) * 1.2e9, drift: ((index % 5) - 2) / 100 }),
  },
]

export type Way = 'leases' | 'shared rate' | 'rate / n each'

export interface Setting {
  way: Way
  n: number
  traffic: Traffic
  life: Life
  seconds?: number
}

export interface Result {
  /** What passed, as a part of the lesser of limit and demand. */
  used: number
  /** By how many events the greatest count in any interval exceeds rate · time + burst. */
  over: number
  /** The greatest excess that the documentation allows. */
  bound: number
  /** Seconds until each instance with more demand has its fair share, within a tenth; undefined: never. */
  fairAfterS: number | undefined
  trips: number
}

interface Instance {
  clock: ManualClock
  drift: number
  allow: () => boolean | Promise<boolean>
  end: () => Promise<void> | undefined
  /** By second. */
  wanted: number[]
  passed: number[]
}

let runs = 0

/** Runs n instances with one method of sharing, on the server that `run` reaches. */
export async function simulate(
  run: RunScript,
  { way, n, traffic, life, seconds = SECONDS }: Setting,
): Promise<Result> {
  const random = createRandom(n + 1)
  const prefix = `simulation ${runs++}:`
  let now = 1e12
  const { run: counted, calls: trips, settle } = tracked(withGivenTime(run, () => now))
  // The total bucket size is the same for each method: the members' buckets add up to the single one.
  const burst = RATE / 10
  const ratePerSecond = RATE / SLOW

  function share(index: number, clock: ManualClock): Pick<Instance, 'allow' | 'end'> {
    if (way === 'leases') {
      const run: RunScript = (...call) => counted(...call)
      const rule = sharedBucket({ ratePerSecond, burst })
      const shared = createRedisLimiter(rule, { run, prefix, clock, timeoutMs: 1e9 })
      const leased = createLeasedLimiter(shared, { share: SHARE, maxAgeMs: MAX_AGE_MS * SLOW, clock })
      return { allow: () => leased.allow('key'), end: leased[Symbol.asyncDispose] }
    }
    // A member of a shared rate has no share until the others see it.
    const alone = { ratePerSecond: ratePerSecond / n, burst: Math.max(burst / n, 1) }
    const own = way === 'shared rate' ? { ratePerSecond: 0, burst: 1 } : alone
    const limiter = createLimiter(tokenBucket(own), { clock })
    if (way !== 'shared rate') return { allow: limiter.allow, end: () => undefined }
    const sizes = { ratePerSecond, burst, periodMs: 1000 * SLOW }
    const place = { run: counted, prefix, group: 'g', member: String(index), clock }
    return {
      allow: limiter.allow,
      end: createSharedRate(limiter, { ...place, ...sizes })[Symbol.asyncDispose],
    }
  }

  function begin(index: number): Instance {
    const { offsetMs, drift } = life.skew?.(index) ?? { offsetMs: 0, drift: 0 }
    const clock = createManualClock(now + offsetMs)
    return { clock, drift, wanted: [], passed: [], ...share(index, clock) }
  }

  const indexes = Array.from({ length: n }, (_, index) => index)
  const sum = indexes.reduce((sum, index) => sum + traffic.weight(index, n, 0), 0)
  const scale = traffic.name.startsWith('bursts') ? 1 / n : 1 / sum
  const instances: Instance[] = []
  /** A crashed one is not: its timers never run. */
  let up: Instance[] = []
  const passings: number[] = []
  let couldPass = 0
  let usedSettled = 0

  for (let tick = 0; tick < (seconds * 1000) / TICK_MS; tick++) {
    const second = (tick * TICK_MS) / 1000
    const whole = Math.floor(second)
    const calls: Instance[] = []
    let passed = 0
    up = indexes.flatMap((index) => {
      if (!life.isUp(index, n, second)) return []
      const instance = (instances[index] ??= begin(index))
      const mean = (traffic.weight(index, n, second) * scale * traffic.load * RATE * TICK_MS) / 1000
      const count = Math.floor(mean + random())
      instance.wanted[whole] = (instance.wanted[whole] ?? 0) + count
      for (let call = 0; call < count; call++) calls.push(instance)
      return [instance]
    })
    // Calls arrive in random order.
    for (let last = calls.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      ;[calls[last], calls[other]] = [calls[other]!, calls[last]!]
    }
    for (const instance of calls) {
      if (!(await instance.allow())) continue
      passed++
      instance.passed[whole] = (instance.passed[whole] ?? 0) + 1
    }
    passings.push(passed)
    if (second >= SETTLED_S) {
      couldPass += Math.min(calls.length, (RATE * TICK_MS) / 1000)
      usedSettled += passed
    }
    await settle()
    now += TICK_MS * SLOW
    for (const { clock, drift } of up) clock.advance(TICK_MS * SLOW * (1 + drift))
    await settle()
  }
  for (const { end } of up) await end()

  return {
    used: Math.min(usedSettled / couldPass, 1),
    over: Math.max(mostOver(passings) - burst, 0),
    bound: way === 'leases' ? n * SHARE : n + (life.skew ? 0.02 * RATE * seconds : 0),
    fairAfterS: fairAfter(instances, seconds),
    trips: trips.length,
  }
}

/** The greatest count in any interval minus rate · time: the maximum subarray sum (Kadane). */
function mostOver(passings: readonly number[]): number {
  let most = 0
  let sum = 0
  for (const count of passings) {
    sum = Math.max(sum, 0) + count
    most = Math.max(most, sum)
    sum -= (RATE * TICK_MS) / 1000
  }
  return most
}

/** The second from which each instance gets 0.9 of its max-min fair share or demand, over five seconds. */
function fairAfter(instances: readonly Instance[], seconds: number): number | undefined {
  const SPAN = 5
  let fair: number | undefined
  for (let second = 0; second + SPAN <= seconds; second++) {
    const during = (counts: readonly (number | undefined)[]): number =>
      counts.slice(second, second + SPAN).reduce<number>((sum, count) => sum + (count ?? 0), 0)
    const shares = maxMin(
      instances.map(({ wanted }) => during(wanted)),
      RATE * SPAN,
    )
    // Tolerates one call for rounding to whole numbers.
    const isFair = instances.every(({ passed }, index) => during(passed) >= 0.9 * shares[index]! - 1)
    if (!isFair) fair = undefined
    else fair ??= second
  }
  return fair
}

function maxMin(wanted: readonly number[], capacity: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]!)
  const shares: number[] = []
  let rest = capacity
  for (const [place, index] of order.entries()) {
    shares[index] = Math.min(wanted[index]!, rest / (order.length - place))
    rest -= shares[index]
  }
  return shares
}
