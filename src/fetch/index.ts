export { parseRetryAfter, type RetryAfterOptions } from './parse-retry-after.ts'
