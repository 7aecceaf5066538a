// CommonJS. What an ES module makes of the same parts has the same types.
import { debounce, RateLimitError, TokenBucket, type Debounced } from 'lull/core'

export const soon: Debounced<() => undefined> = debounce(() => undefined, 10)
export const bucket = new TokenBucket(1, 1)
export const error = new RateLimitError('throttled', 'later', 1000)
