import { TokenBucket } from 'lull/core'

let now = 0
const bucket = new TokenBucket(2, 1, { clock: () => now })

console.log(bucket.allow('ada'))
// → { allowed: true, retryAfterMs: 0, remaining: 1 }
console.log(bucket.allow('ada', 2))
// → { allowed: false, retryAfterMs: 1000, remaining: 1 }
console.log(bucket.allow('grace', 2))
// → { allowed: true, retryAfterMs: 0, remaining: 0 }
now = 1000
console.log(bucket.allow('ada', 2).allowed)
// → true
