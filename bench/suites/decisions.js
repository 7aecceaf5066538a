import * as pacer from '@tanstack/pacer'
import { TokenBucket } from 'limiter'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import * as byHand from '../by-hand/rules.js'
import * as lull from '../../dist/core/index.js'
import { timed, timedAsync } from '../measure.js'

const CALLS = 100_000
const SLOW_CALLS = 5000
const HOUR_MS = 3_600_000

/** Options of each rule: the first allow every call of this suite, the second allow 10 and then none for an hour. */
const options = {
  tokenBucket: [
    { ratePerSecond: 1e6, burst: 1e9 },
    { ratePerSecond: 1e-4, burst: 10 },
  ],
  gcra: [
    { ratePerSecond: 1e6, burst: 1e9 },
    { ratePerSecond: 1e-4, burst: 10 },
  ],
  leakyBucket: [
    { ratePerSecond: 1e6, capacity: 1e9 },
    { ratePerSecond: 1e-4, capacity: 10 },
  ],
  fixedWindow: [
    { limit: 1e9, windowMs: HOUR_MS },
    { limit: 10, windowMs: HOUR_MS },
  ],
  slidingWindowCounter: [
    { limit: 1e9, windowMs: HOUR_MS },
    { limit: 10, windowMs: HOUR_MS },
  ],
  slidingWindowLog: [
    { limit: 1e6, windowMs: 1e-3 },
    { limit: 10, windowMs: HOUR_MS },
  ],
}

/** Returns the ns per decision. Each must return `isAllowed`, so that no wrong decision is measured. */
const decisions =
  (make, isAllowed, calls = CALLS) =>
  () => {
    const allow = make()
    if (!isAllowed)
      for (let i = 0; i < 10; i++) if (!allow()) throw new Error('The first ten are not allowed')
    return timed(calls, (count) => {
      let right = 0
      for (let i = 0; i < count; i++) right += allow() === isAllowed
      if (right < count) throw new Error(`${count - right} of ${count} decisions are wrong`)
    })
  }

/** The same for functions that return a promise, which rejects if the call is not allowed. */
const asyncDecisions = (make, isAllowed) => async () => {
  const consume = make()
  const decide = () =>
    consume().then(
      () => true,
      () => false,
    )
  if (!isAllowed)
    for (let i = 0; i < 10; i++) if (!(await decide())) throw new Error('The first ten are not allowed')
  return timedAsync(SLOW_CALLS, async (count) => {
    let right = 0
    for (let i = 0; i < count; i++) right += (await decide()) === isAllowed
    if (right < count) throw new Error(`${count - right} of ${count} decisions are wrong`)
  })
}

function limiterBucket({ ratePerSecond, burst }) {
  const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: ratePerSecond, interval: 1000 })
  bucket.content = burst
  return () => bucket.tryRemoveTokens(1)
}

function flexible({ limit, windowMs }) {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1000 })
  return () => limiter.consume('key')
}

const pacerLimiter =
  (windowType) =>
  ({ limit, windowMs }) =>
    pacer.rateLimit(() => undefined, { limit, window: windowMs, windowType })

/** Libraries with the same rule. Pacer keeps the instant of each allowed call and reads all of them at each call. */
const peers = {
  tokenBucket: (given, isAllowed) => ({ limiter: decisions(() => limiterBucket(given), isAllowed) }),
  fixedWindow: (given, isAllowed) => ({
    ...(!isAllowed && {
      'TanStack Pacer': decisions(() => pacerLimiter('fixed')(given), isAllowed, SLOW_CALLS),
    }),
    'rate-limiter-flexible, by promise': asyncDecisions(() => flexible(given), isAllowed),
  }),
  slidingWindowLog: (given, isAllowed) =>
    isAllowed
      ? {}
      : { 'TanStack Pacer': decisions(() => pacerLimiter('sliding')(given), isAllowed, SLOW_CALLS) },
}

export default (rule) =>
  options[rule].map((given, index) => {
    const isAllowed = index === 0
    return {
      title: `\`${rule}\`, ${isAllowed ? 'allowed' : 'denied'}`,
      unit: 'ns',
      goal: { row: 'lull', ratio: 1.15 },
      candidates: {
        'by hand': decisions(() => byHand[rule](given), isAllowed),
        lull: decisions(() => lull.createLimiter(lull[rule](given)).allow, isAllowed),
        ...peers[rule]?.(given, isAllowed),
      },
    }
  })
