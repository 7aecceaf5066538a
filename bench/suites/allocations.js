import { TokenBucket } from 'limiter'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import * as byHand from '../by-hand/rules.js'
import * as lull from '../../dist/core/index.js'

const CALLS = 50_000
/** Allows half of the calls, and then none for a long time. */
const given = { ratePerSecond: 1e-3, burst: CALLS / 2 }

/** Returns the bytes that `run` allocates per decision. It must return how many were allowed. */
async function bytesPerDecision(run) {
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const pending = run()
  // An `await` would allocate, too.
  const allowed = typeof pending === 'number' ? pending : await pending
  const bytes = process.memoryUsage().heapUsed - before
  if (bytes < 0) throw new Error('Garbage was collected during the measurement')
  if (allowed !== CALLS / 2) throw new Error(`${allowed} of ${CALLS} are allowed`)
  return bytes / CALLS
}

const decisions = (make) => () => {
  const allow = make()
  return bytesPerDecision(() => {
    let allowed = 0
    for (let i = 0; i < CALLS; i++) allowed += allow() ? 1 : 0
    return allowed
  })
}

const rule = () => lull.tokenBucket(given)

export default () => [
  {
    title: 'Bytes allocated by a decision',
    about:
      'By a token bucket, the first half allowed and the others denied; `decide` returns an object. rate-limiter-flexible has a window.',
    unit: 'bytes',
    rounds: 9,
    warmUp: 5,
    candidates: {
      'by hand': decisions(() => byHand.tokenBucket(given)),
      'lull, `allow`': decisions(() => lull.createLimiter(rule()).allow),
      'lull, keyed `allow`': decisions(() => {
        const { allow } = lull.createKeyedLimiter(rule())
        return () => allow('key')
      }),
      'lull, `decide`': decisions(() => {
        const { decide } = lull.createLimiter(rule())
        return () => decide().allowed
      }),
      limiter: decisions(() => {
        const bucket = new TokenBucket({ bucketSize: given.burst, tokensPerInterval: 1e-3, interval: 1000 })
        bucket.content = given.burst
        return () => bucket.tryRemoveTokens(1)
      }),
      'rate-limiter-flexible': () => {
        const limiter = new RateLimiterMemory({ points: given.burst, duration: 3600 })
        return bytesPerDecision(async () => {
          let allowed = 0
          for (let i = 0; i < CALLS; i++)
            await limiter.consume('key').then(
              () => allowed++,
              () => undefined,
            )
          return allowed
        })
      },
    },
  },
]
