import { TokenBucket } from 'limiter'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import * as byHand from '../by-hand/rules.js'
import * as lull from '../../dist/core/index.js'
import { bytesKept, timed } from '../measure.js'

const COUNT = 1_000_000
const FEW = 1000
const CALLS = 100_000
/** Refills too slowly for a bucket to be full, and forgotten, before all keys are added. */
const given = { ratePerSecond: 1e-3, burst: 10 }

// Hashes each string beforehand, so that flattening it is not measured.
const keys = Array.from({ length: COUNT }, (_, i) => `key ${i}`)
new Set(keys).clear()

/** `make` returns `ask`, which decides for a key, and optionally `size` and `forget` (needed if keys have timers). */
const bytesPerKey = (make) => () => {
  const { bytes, kept } = bytesKept(() => {
    const limiter = make()
    for (const key of keys) limiter.ask(key)
    return limiter
  })
  const size = kept.size?.() ?? COUNT
  if (size !== COUNT) throw new Error(`${size} of ${COUNT} keys`)
  kept.forget?.()
  return bytes / COUNT
}

const ours = (rule) => () => {
  const limiter = lull.createKeyedLimiter(rule, { maxKeys: COUNT })
  return { ask: (key) => limiter.allow(key), size: () => limiter.size }
}

function limiterBuckets() {
  const buckets = new Map()
  function ask(key) {
    let bucket = buckets.get(key)
    if (!bucket) {
      bucket = new TokenBucket({ bucketSize: 10, tokensPerInterval: 1e-3, interval: 1000 })
      bucket.content = 10
      buckets.set(key, bucket)
    }
    return bucket.tryRemoveTokens(1)
  }
  return { ask, size: () => buckets.size }
}

function flexible() {
  const limiter = new RateLimiterMemory({ points: 10, duration: 3600 })
  let size = 0
  return {
    ask: (key) => limiter.consume(key).then(() => size++),
    size: () => limiter._memoryStorage._storage.size,
    // Each key has a timer.
    forget: () => keys.forEach((key) => void limiter.delete(key)),
  }
}

/** Returns the ns per decision, for known keys in turn, all allowed. */
const decisions = (make) => () => {
  const { ask } = make()
  for (let i = 0; i < FEW; i++) ask(keys[i])
  return timed(CALLS, (count) => {
    let allowed = 0
    for (let i = 0; i < count; i++) allowed += ask(keys[i % FEW]) ? 1 : 0
    if (allowed !== count) throw new Error(`${allowed} of ${count} are allowed`)
  })
}

/** Large enough that no bucket is ever full again, and forgotten. */
const generous = { ratePerSecond: 1e-3, burst: 1e9 }

export default () => [
  {
    title: 'A decision for one of 1,000 keys',
    about:
      'A token bucket for each key; each decision is allowed. One more key would evict the one used longest ago.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.15 },
    candidates: {
      'by hand': decisions(() => ({ ask: byHand.keyedTokenBucket(generous, FEW) })),
      lull: decisions(() => ({
        ask: lull.createKeyedLimiter(lull.tokenBucket(generous), { maxKeys: FEW }).allow,
      })),
    },
  },
  {
    title: 'Bytes per key, of a million keys',
    about:
      'Without the strings themselves, with the map that holds them. rate-limiter-flexible has a window.',
    unit: 'bytes',
    goal: { row: 'lull', median: 64 },
    rounds: 1,
    warmUp: 0,
    candidates: {
      'by hand': bytesPerKey(() => ({ ask: byHand.keyedTokenBucket(given, COUNT) })),
      lull: bytesPerKey(ours(lull.tokenBucket(given))),
      'lull, `fixedWindow`': bytesPerKey(ours(lull.fixedWindow({ limit: 10, windowMs: 3_600_000 }))),
      limiter: bytesPerKey(limiterBuckets),
      'rate-limiter-flexible': bytesPerKey(flexible),
    },
  },
]
