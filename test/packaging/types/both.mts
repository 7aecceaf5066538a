// An ES module that uses objects created in CommonJS: the classes are the same, including their private
// members.
import { RateLimitError, TokenBucket } from 'lull/core'
import { bucket, error } from './common.cjs'

export const sameBucket: TokenBucket = bucket
export const sameError: RateLimitError = error
