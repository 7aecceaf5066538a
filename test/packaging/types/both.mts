// An ES module that takes what CommonJS has made: the classes are the same, their private members included.
import { RateLimitError, TokenBucket } from 'lull/core'
import { bucket, error } from './common.cjs'

export const sameBucket: TokenBucket = bucket
export const sameError: RateLimitError = error
