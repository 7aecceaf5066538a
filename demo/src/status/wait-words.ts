import type { WaitSource } from 'lull/fetch'

interface WaitWords {
  told: string
  /** What decided how long the wait is. */
  by: string
}

const refused = 'The server said: too many requests'
const spent = 'The server said: nothing is left'

/** Why nothing is sent, for each that may decide how long. */
export const waitWords: Record<WaitSource, WaitWords> = {
  'retry-after-ms': { told: refused, by: 'Retry-After-Ms' },
  'retry-after:delay': { told: refused, by: 'Retry-After, in seconds' },
  'retry-after:date': { told: refused, by: 'Retry-After, a date' },
  ratelimit: { told: spent, by: 'RateLimit, its window' },
  'ratelimit-legacy': { told: spent, by: 'RateLimit, of an older draft' },
  'x-ratelimit': { told: spent, by: 'X-RateLimit-Reset' },
  // Longer than what the server asked for, or after an answer that was lost.
  backoff: { told: 'The server is not ready yet', by: 'our own backoff' },
  manual: { told: 'Paused by hand', by: 'whoever paused it' },
  shared: { told: 'Another tab was told to wait', by: 'the other tab' },
  none: { told: `${refused}, and not for how long`, by: 'our own backoff' },
}
