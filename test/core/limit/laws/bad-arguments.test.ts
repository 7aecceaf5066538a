// Invalid costs, instants, counts and options, for all that accept them.
import * as core from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { everyRule } from '../rules/every-rule.ts'

const clock = createManualClock()

const noNumbers: unknown[] = [null, '', '1', [], [1], {}, true, new Date(0), 1n]
/** The end of a message. Development adds the type. */
function got(bad: unknown): string {
  if (Array.isArray(bad)) return `got [${bad.join()}]`
  const article = typeof bad === 'object' ? 'an' : 'a'
  const isNamed = typeof bad !== 'number' && bad !== null
  return `${isNamed ? `not ${article} ${typeof bad}, ` : ''}got ${String(bad)}`
}

const noCosts = [-1, -Number.MIN_VALUE, NaN, -Infinity]
const noInstants = [NaN, Infinity, -Infinity]

type Ask = (value: never) => unknown

/** A kind of limiter: its methods that take a cost or an instant, and what remains of a burst of 5. */
interface Holder {
  costs: Ask[]
  instants: Ask[]
  remaining: () => number
}

type Deciding = Pick<core.WaitingLimiter, 'allow' | 'decide' | 'peek' | 'remaining'>

const deciding = ({ allow, decide, peek, remaining }: Deciding): Holder => ({
  costs: [allow, decide, peek],
  instants: [(at) => allow(1, at), (at) => decide(1, at), (at) => peek(1, at), remaining],
  remaining,
})

function waiting(limiter: Pick<core.WaitingLimiter, keyof Deciding | 'reserve' | 'wait'>): Holder {
  const { reserve, wait } = limiter
  const { cancel, delay } = reserve(0)
  const { costs, instants, remaining } = deciding(limiter)
  return {
    costs: [...costs, reserve, wait],
    instants: [...instants, (at) => reserve(1, at), cancel, delay],
    remaining,
  }
}

const holders: [name: string, make: (rule: ReturnType<(typeof everyRule)[0][1]>) => Holder][] = [
  ['createLimiter', (rule) => deciding(core.createLimiter(rule, { clock }))],
  ['createWaitingLimiter', (rule) => waiting(core.createWaitingLimiter(rule, { clock }))],
  ['allOf', (rule) => waiting(core.allOf(core.createWaitingLimiter<never>(rule, { clock })))],
  ['createAdaptiveLimiter', (rule) => waiting(core.createAdaptiveLimiter(rule, { clock, max: 10 }))],
  [
    'configure',
    (rule) => {
      const [one, other] = [core.createLimiter(rule, { clock }), core.createWaitingLimiter(rule, { clock })]
      const instants: Ask[] = [(at) => one.configure({}, at), (at) => other.configure({}, at)]
      return { costs: [], instants, remaining: one.remaining }
    },
  ],
  [
    'createKeyedLimiter',
    (rule) => {
      const { allow, decide, peek, take, giveBack, block } = core.withBlocks(
        core.createKeyedLimiter(rule, { clock }),
      )
      const asks = [allow, decide, peek, take, giveBack]
      const costs: Ask[] = asks.map((ask) => (cost: never) => ask('a', cost))
      const instants: Ask[] = [...asks, block].map((ask) => (at: never) => ask('a', 1, at))
      return { costs, instants, remaining: () => peek('a').remaining }
    },
  ],
  [
    'TokenBucket',
    () => {
      const bucket = new core.TokenBucket(5, 10, { clock: clock.now })
      return {
        costs: [(cost) => bucket.allow('a', cost)],
        instants: [],
        remaining: () => bucket.allow('a', 0).remaining,
      }
    },
  ],
]

/** Returns what `ask` throws or rejects with. */
async function errorOf(ask: Ask, value: unknown): Promise<unknown> {
  try {
    await ask(value as never)
  } catch (error) {
    return error
  }
  return 'nothing'
}

describe.each(holders)('%s', (_, hold) => {
  it.each(everyRule)('throws for an invalid cost or instant, and takes nothing: %s', async (_rule, make) => {
    // An adaptive limiter sets a rate, which windows do not have.
    vi.spyOn(console, 'warn').mockReturnValue()
    const { costs, instants, remaining } = hold(make(10, 5))
    for (const cost of costs) {
      for (const bad of noNumbers)
        expect(await errorOf(cost, bad)).toEqual(new TypeError(`Expected cost >= 0, ${got(bad)}`))
      for (const bad of noCosts)
        expect(await errorOf(cost, bad)).toEqual(new RangeError(`Expected cost >= 0, got ${bad}`))
    }
    for (const instant of instants) {
      // Arithmetic on a bigint throws its own TypeError.
      for (const bad of noNumbers) expect(await errorOf(instant, bad)).toBeInstanceOf(TypeError)
      for (const bad of noInstants)
        expect(await errorOf(instant, bad)).toEqual(new RangeError(`Expected finite at, got ${bad}`))
    }
    expect(remaining()).toBe(5)
  })
})

it('wait accepts a timeout >= 0, and rejects for an aborted signal', async () => {
  const limiter = core.createWaitingLimiter(core.tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
  for (const timeoutMs of [-1, NaN, '1' as never])
    await expect(limiter.wait(1, { timeoutMs })).rejects.toThrow(
      new RangeError(`Expected timeoutMs >= 0, ${got(timeoutMs)}`),
    )
  const reason = { why: 'gone' }
  await expect(limiter.wait(1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(limiter.remaining()).toBe(1)
})

const bucket = core.tokenBucket({ ratePerSecond: 1, burst: 2 })
const leaky = { ratePerSecond: 1, capacity: 2 }

/** For each option: the range in the message, and a function that uses a value. */
const options: [range: string, make: (value: never) => unknown][] = [
  ['ratePerSecond >= 0', (value) => core.tokenBucket({ ratePerSecond: value, burst: 1 })],
  ['burst >= 0', (value) => core.tokenBucket({ ratePerSecond: 1, burst: value })],
  ['initial >= 0', (value) => core.tokenBucket({ ratePerSecond: 1, burst: 1, initial: value })],
  ['ratePerSecond >= 0', (value) => core.gcra({ ratePerSecond: value, burst: 1 })],
  ['burst >= 0', (value) => core.gcra({ ratePerSecond: 1, burst: value })],
  ['ratePerSecond >= 0', (value) => core.leakyBucket({ ratePerSecond: value, capacity: 1 })],
  ['capacity >= 0', (value) => core.leakyBucket({ ratePerSecond: 1, capacity: value })],
  ...[core.fixedWindow, core.slidingWindowLog, core.slidingWindowCounter].flatMap(
    (window): typeof options => [
      ['limit >= 0', (value) => window({ limit: value, windowMs: 1 })],
      ['windowMs > 0', (value) => window({ limit: 1, windowMs: value })],
    ],
  ),
  ['intervalMs >= 0', core.every],
  ['capacity >= 0', (value) => new core.TokenBucket(value, 1)],
  ['refillPerSec >= 0', (value) => new core.TokenBucket(1, value)],
  ['maxKeys >= 1', (value) => new core.TokenBucket(1, 1, { maxKeys: value })],
  ['maxKeys >= 1', (maxKeys) => core.createKeyedLimiter(bucket, { maxKeys })],
  ['ms > 0', (ms) => core.withBlocks(core.createKeyedLimiter(bucket)).block('a', ms)],
  ['idleMs > 0', (idleMs) => core.createKeyedLimiter(bucket, { idleMs })],
  ['ratePerSecond >= 0', (value) => core.createLimiter(bucket).configure({ ratePerSecond: value })],
  ['burst >= 0', (value) => core.createWaitingLimiter(bucket).configure({ burst: value })],
  ['capacity >= 0', (value) => core.createLimiter(core.leakyBucket(leaky)).configure({ capacity: value })],
]

it.each(options)('an option outside %s throws a RangeError with that range', (range, make) => {
  const [name, sign] = range.split(' ')
  const least = sign === '>' ? [0, -0] : []
  const none = name === 'initial' ? [null, '1', true] : [null, '1', [2], true]
  for (const bad of [...noCosts, ...least, ...none])
    expect(() => make(bad as never)).toThrow(new RangeError(`Expected ${range}, ${got(bad)}`))
})

it('slidingWindowCounter throws for an infinite window', () => {
  const make = () => core.slidingWindowCounter({ limit: 1, windowMs: Infinity })
  expect(make).toThrow(new RangeError('Expected windowMs < Infinity, got Infinity'))
})
