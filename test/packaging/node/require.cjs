// The package is ESM alone; Node from 20.19 on lets CommonJS require that.
const assert = require('node:assert')
const { debounce } = require('lull/core')
const { parseRetryAfter } = require('lull/fetch')
const { createManualClock } = require('lull/testing')

const clock = createManualClock()
const runs = []
debounce((word) => runs.push(word), 100, { clock })('once')
clock.advance(100)
assert.deepStrictEqual(runs, ['once'])
assert.strictEqual(parseRetryAfter('1'), 1000)
