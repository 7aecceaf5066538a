import type { WaitSource } from 'lull/fetch'

interface WaitWords {
  reason: string
  /** The source of the duration. */
  by: string
}

const refused = 'The server said: too many requests'
const spent = 'The server said: no requests are left'

/** Why nothing is sent, for each source of a wait. */
export const waitWords: Record<WaitSource, WaitWords> = {
  'retry-after-ms': { reason: refused, by: 'Retry-After-Ms' },
  'retry-after:delay': { reason: refused, by: 'Retry-After, in seconds' },
  'retry-after:date': { reason: refused, by: 'Retry-After, a date' },
  ratelimit: { reason: spent, by: 'RateLimit, its window' },
  'ratelimit-legacy': { reason: spent, by: 'RateLimit, of an older draft' },
  'x-ratelimit': { reason: spent, by: 'X-RateLimit-Reset' },
  // The backoff is longer than the server's delay, or follows a lost response.
  backoff: { reason: 'The server is not ready yet', by: 'our own backoff' },
  manual: { reason: 'Paused by hand', by: 'this page' },
  shared: { reason: 'The server told another tab to wait', by: 'the other tab' },
  none: { reason: `${refused}, without a time`, by: 'our own backoff' },
}
