// Every entry that works without React, in a project without it.
import assert from 'node:assert'
import { createLimiter, debounce, tokenBucket } from 'lull/core'
import { createRateLimitedFetch, parseRetryAfter } from 'lull/fetch'
import { createRedisLimiter, tokenBucket as sharedBucket, withIoredis } from 'lull/redis'
import { createManualClock } from 'lull/testing'
import manifest from 'lull/package.json' with { type: 'json' }

const clock = createManualClock()
const runs = []
const debounced = debounce((word) => runs.push([clock.now(), word]), 100, { clock })
for (const word of ['one', 'two', 'three']) debounced(word)
clock.advance(1000)
assert.deepStrictEqual(runs, [[100, 'three']])
assert.strictEqual(clock.pending, 0)

const limiter = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }), { clock })
assert.deepStrictEqual([limiter.allow(), limiter.allow()], [true, false])
assert.strictEqual(limiter.decide().retryAfterMs, 100)

assert.strictEqual(parseRetryAfter('2'), 2000)
const paced = createRateLimitedFetch({ fetch: () => Promise.resolve(new Response('served')) })
assert.strictEqual(await (await paced('https://api.example/')).text(), 'served')

const asked = []
const client = {
  evalsha: (...args) => Promise.reject(new Error(`NOSCRIPT ${args.length}`)),
  eval: (...args) => {
    asked.push(args[2])
    return Promise.resolve('0 2500')
  },
}
const shared = createRedisLimiter(sharedBucket({ ratePerSecond: 1, burst: 4 }), { run: withIoredis(client) })
assert.deepStrictEqual(await shared.decide('ada'), { allowed: false, retryAfterMs: 2500, remaining: 0 })
assert.deepStrictEqual(asked, ['lull:bucket:ada'])
assert.strictEqual(await shared.allow('ada'), false)
assert.strictEqual(asked.length, 1)

assert.strictEqual(manifest.name, 'lull')
assert.deepStrictEqual(manifest.dependencies ?? {}, {})
await assert.rejects(import('lull/dist/core/index.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
