import * as core from 'lull/core'
import * as redis from 'lull/redis'

/** A rule of `lull/redis`, and the in-memory rule with the same name and options. */
export interface RulePair {
  name: string
  shared: redis.RedisRule
  local: core.Rule
}

const pair = <Options>(
  name: string,
  local: (options: Options) => core.Rule<never>,
  shared: (options: Options) => redis.RedisRule,
  options: Options,
): RulePair => ({
  name: `${name}(${JSON.stringify(options)})`,
  local: local(options) as core.Rule,
  shared: shared(options),
})

/** Rates and windows much longer than the test: TTLs use real time, and no key may expire meanwhile. */
export const rulePairs: readonly RulePair[] = [
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, { ratePerSecond: 0.01, burst: 5 }),
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, { ratePerSecond: 0.003, burst: 7.5, initial: 2 }),
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, { ratePerSecond: 1 / 70, burst: 3, initial: 0 }),
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, { ratePerSecond: 0, burst: 4 }),
  pair('gcra', core.gcra, redis.gcra, { ratePerSecond: 0.01, burst: 5 }),
  pair('gcra', core.gcra, redis.gcra, { ratePerSecond: 0.007, burst: 1 }),
  pair('leakyBucket', core.leakyBucket, redis.leakyBucket, { ratePerSecond: 0.01, capacity: 4 }),
  pair('fixedWindow', core.fixedWindow, redis.fixedWindow, { limit: 5, windowMs: 200_000 }),
  pair('fixedWindow', core.fixedWindow, redis.fixedWindow, { limit: 2.5, windowMs: 77_777.7 }),
  pair('slidingWindowLog', core.slidingWindowLog, redis.slidingWindowLog, { limit: 5, windowMs: 200_000 }),
  pair('slidingWindowLog', core.slidingWindowLog, redis.slidingWindowLog, { limit: 2, windowMs: 90_000 }),
  pair('slidingWindowCounter', core.slidingWindowCounter, redis.slidingWindowCounter, {
    limit: 5,
    windowMs: 200_000,
  }),
  pair('slidingWindowCounter', core.slidingWindowCounter, redis.slidingWindowCounter, {
    limit: 9,
    windowMs: 123_456,
  }),
]

const zero = { ratePerSecond: 0, burst: 2 }
const empty = { ratePerSecond: 1, burst: 0 }
const closed = { limit: 0, windowMs: 60_000 }

/** Rates and sizes of 0 and Infinity. */
export const edgePairs: readonly RulePair[] = [
  pair('gcra', core.gcra, redis.gcra, zero),
  pair('gcra', core.gcra, redis.gcra, { ...zero, ratePerSecond: -0 }),
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, { ...zero, ratePerSecond: -0 }),
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, empty),
  pair('gcra', core.gcra, redis.gcra, empty),
  pair('tokenBucket', core.tokenBucket, redis.tokenBucket, { ...empty, burst: Infinity, initial: 2 }),
  pair('fixedWindow', core.fixedWindow, redis.fixedWindow, { limit: 2, windowMs: Infinity }),
  pair('fixedWindow', core.fixedWindow, redis.fixedWindow, closed),
  pair('slidingWindowLog', core.slidingWindowLog, redis.slidingWindowLog, closed),
  pair('slidingWindowCounter', core.slidingWindowCounter, redis.slidingWindowCounter, closed),
]

interface AnyNumbers {
  ratePerSecond: number
  size: number
  windowMs: number
  /** As a part of the size. */
  initial: number
}

/** Makes a pair of each kind from any numbers. */
export const kinds: readonly ((numbers: AnyNumbers) => RulePair)[] = [
  ({ ratePerSecond, size, initial }) =>
    pair('tokenBucket', core.tokenBucket, redis.tokenBucket, {
      ratePerSecond,
      burst: size,
      initial: initial * size,
    }),
  ({ ratePerSecond, size }) => pair('gcra', core.gcra, redis.gcra, { ratePerSecond, burst: size }),
  ({ ratePerSecond, size }) =>
    pair('leakyBucket', core.leakyBucket, redis.leakyBucket, { ratePerSecond, capacity: size }),
  ({ size, windowMs }) => pair('fixedWindow', core.fixedWindow, redis.fixedWindow, { limit: size, windowMs }),
  ({ size, windowMs }) =>
    pair('slidingWindowLog', core.slidingWindowLog, redis.slidingWindowLog, { limit: size, windowMs }),
  ({ size, windowMs }) =>
    pair('slidingWindowCounter', core.slidingWindowCounter, redis.slidingWindowCounter, {
      limit: size,
      windowMs,
    }),
]
