// A CommonJS script, without a global Request, whose fetch is a mock.
const assert = require('node:assert')

for (const name of ['Request', 'Response', 'Headers']) delete globalThis[name]
const { debounce } = require('lull/core')
const { createRateLimitedFetch, parseRetryAfter } = require('lull/fetch')
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

globalThis.fetch = async (url) => ({ status: 200, url })
createRateLimitedFetch()('https://api.example/').then((response) =>
  assert.deepStrictEqual(response, { status: 200, url: 'https://api.example/' }),
)
