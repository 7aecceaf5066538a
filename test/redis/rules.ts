import * as core from 'lull/core'
import * as redis from 'lull/redis'

/** A rule of `lull/redis`, and the in-memory rule with the same name and options. */
export interface RulePair {
  name: string
  shared: redis.RedisRule
  local: core.Rule
}

type Name = Exclude<keyof typeof redis & keyof typeof core, 'RateLimitError'>
type OptionsOf<Kind extends Name> = Parameters<(typeof redis)[Kind]>[0]

const pair = <Kind extends Name>(name: Kind, options: OptionsOf<Kind>): RulePair => ({
  name: `${name}(${JSON.stringify(options)})`,
  local: (core[name] as (options: OptionsOf<Kind>) => core.Rule)(options),
  shared: (redis[name] as (options: OptionsOf<Kind>) => redis.RedisRule)(options),
})

/** Rates and windows much longer than the test: TTLs use real time, and no key may expire meanwhile. */
export const rulePairs: readonly RulePair[] = [
  pair('tokenBucket', { ratePerSecond: 0.01, burst: 5 }),
  pair('tokenBucket', { ratePerSecond: 0.003, burst: 7.5, initial: 2 }),
  pair('tokenBucket', { ratePerSecond: 1 / 70, burst: 3, initial: 0 }),
  pair('tokenBucket', { ratePerSecond: 0, burst: 4 }),
  pair('gcra', { ratePerSecond: 0.01, burst: 5 }),
  pair('gcra', { ratePerSecond: 0.007, burst: 1 }),
  pair('leakyBucket', { ratePerSecond: 0.01, capacity: 4 }),
  pair('fixedWindow', { limit: 5, windowMs: 200_000 }),
  pair('fixedWindow', { limit: 2.5, windowMs: 77_777.7 }),
  pair('slidingWindowLog', { limit: 5, windowMs: 200_000 }),
  pair('slidingWindowLog', { limit: 2, windowMs: 90_000 }),
  pair('slidingWindowCounter', { limit: 5, windowMs: 200_000 }),
  pair('slidingWindowCounter', { limit: 9, windowMs: 123_456 }),
]

const zero = { ratePerSecond: 0, burst: 2 }
const empty = { ratePerSecond: 1, burst: 0 }
const closed = { limit: 0, windowMs: 60_000 }

/** Rates and sizes of 0 and Infinity. */
export const edgePairs: readonly RulePair[] = [
  pair('gcra', zero),
  pair('gcra', { ...zero, ratePerSecond: -0 }),
  pair('tokenBucket', { ...zero, ratePerSecond: -0 }),
  pair('tokenBucket', empty),
  pair('gcra', empty),
  pair('tokenBucket', { ...empty, burst: Infinity, initial: 2 }),
  pair('fixedWindow', { limit: 2, windowMs: Infinity }),
  pair('fixedWindow', closed),
  pair('slidingWindowLog', closed),
  pair('slidingWindowCounter', closed),
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
    pair('tokenBucket', { ratePerSecond, burst: size, initial: initial * size }),
  ({ ratePerSecond, size }) => pair('gcra', { ratePerSecond, burst: size }),
  ({ ratePerSecond, size }) => pair('leakyBucket', { ratePerSecond, capacity: size }),
  ({ size, windowMs }) => pair('fixedWindow', { limit: size, windowMs }),
  ({ size, windowMs }) => pair('slidingWindowLog', { limit: size, windowMs }),
  ({ size, windowMs }) => pair('slidingWindowCounter', { limit: size, windowMs }),
]
