import {
  createRateLimitedFetch,
  isRateLimitError,
  parseRetryAfter,
  readRateLimit,
  untilBodyRead,
} from 'lull/fetch'

globalThis.lullFetch = {
  createRateLimitedFetch,
  isRateLimitError,
  parseRetryAfter,
  readRateLimit,
  untilBodyRead,
}
