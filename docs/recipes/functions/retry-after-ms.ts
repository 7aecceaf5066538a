import { RateLimitError } from 'lull/core'
import { retryAfterMs } from 'lull/fetch'

const refusal = new Response(null, {
  status: 429,
  headers: { 'Retry-After': '1.5' },
})
console.log(retryAfterMs(refusal))
// → 1500

console.log(
  retryAfterMs(
    new RateLimitError('queue-full', 'Too many calls wait', 250),
  ),
)
// → 250

console.log(
  retryAfterMs(new Response()),
  retryAfterMs(new TypeError('fetch failed')),
)
// → undefined undefined
