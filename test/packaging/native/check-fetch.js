import assert from 'node:assert'
import { createNative } from './native-globals.js'

const { load, run } = createNative()
load('fetch')

const said = run(`(() => {
  const headers = new Headers({ RateLimit: '"burst";r=3;t=9' })
  const { source, limits } = lullFetch.readRateLimit(headers, { now: 0 })
  return { retry: lullFetch.parseRetryAfter('2'), source, limits: limits.length }
})()`)
assert.deepEqual({ ...said }, { retry: 2000, source: 'ratelimit', limits: 1 })
