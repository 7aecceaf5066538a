import { readRateLimit } from 'lull/fetch'

const headers = new Headers({
  'RateLimit-Policy': '"burst";q=10;w=1, "day";q=5000;w=86400',
  RateLimit: '"burst";r=0;t=1, "day";r=4200;t=30000',
})
const { source, limits, policies, waitMs } = readRateLimit(headers)
console.log(source, waitMs)
// → ratelimit 1000
for (const { name, available, windowMs } of limits)
  console.log(name, available, windowMs)
// → burst 0 1000
// → day 4200 30000000
for (const { name, quota, unit } of policies)
  console.log(name, quota, unit)
// → burst 10 requests
// → day 5000 requests

// An older header: a number of seconds, or an instant.
const now = Date.parse('2026-11-22T00:00:00Z')
const older = new Headers({
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset': String(now / 1000 + 30),
})
const reading = readRateLimit(older, { now })
console.log(reading.source, reading.waitMs)
// → x-ratelimit 30000
