// CommonJS. An ES module gets the same types from the same entries.
import { debounce, RateLimitError, TokenBucket, type Debounced } from 'lull/core'

export const soon: Debounced<() => undefined> = debounce(() => undefined, 10)
export const bucket = new TokenBucket(1, 1)
export const error = new RateLimitError('throttled', 'later', 1000)
