// The package is ESM alone; Node from 20.19 on lets CommonJS require that.
const assert = require('node:assert')
const { debounce } = require('lull/core')
const { parseRetryAfter } = require('lull/fetch')
const { createRedisLimiter, fixedWindow } = require('lull/redis')
const { createManualClock } = require('lull/testing')

const clock = createManualClock()
const runs = []
debounce((word) => runs.push(word), 100, { clock })('once')
clock.advance(100)
assert.deepStrictEqual(runs, ['once'])
assert.strictEqual(parseRetryAfter('1'), 1000)

const limiter = createRedisLimiter(fixedWindow({ limit: 3, windowMs: 1000 }), {
  run: () => Promise.resolve(2),
})
limiter.allow('ada').then((isAllowed) => assert.strictEqual(isAllowed, true))
