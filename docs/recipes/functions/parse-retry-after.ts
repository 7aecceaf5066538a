import { parseRetryAfter } from 'lull/fetch'

const now = Date.parse('2026-11-22T00:00:00Z')

console.log(
  parseRetryAfter('120'),
  parseRetryAfter('1.5'),
  parseRetryAfter('0'),
)
// → 120000 1500 0
console.log(parseRetryAfter('Sun, 22 Nov 2026 00:00:10 GMT', { now }))
// → 10000

// By the server's clock, a minute behind ours: 10 s after it was sent.
const date = 'Sat, 21 Nov 2026 23:59:00 GMT'
console.log(
  parseRetryAfter('Sat, 21 Nov 2026 23:59:10 GMT', { now, date }),
)
// → 10000
// Without the `Date` header it is past.
console.log(parseRetryAfter('Sat, 21 Nov 2026 23:59:10 GMT', { now }))
// → 0

console.log(
  parseRetryAfter('soon'),
  parseRetryAfter('-1'),
  parseRetryAfter(null),
)
// → undefined undefined undefined
console.log(parseRetryAfter('1.5', { strict: true }))
// → undefined
