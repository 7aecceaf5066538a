import { createLimiter, debounce, tokenBucket } from 'lull/core'

const limiter = createLimiter(tokenBucket({ ratePerSecond: 0, burst: 2 }))
const allowed = [limiter.allow(), limiter.allow(), limiter.allow()]
const say = debounce((word) => postMessage(`${allowed.join()} ${word}`), 20)
for (const word of ['one', 'two', 'three']) say(word)
