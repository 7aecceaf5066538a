import type { WaitSource } from 'lull/fetch'
import type { Pause } from './pauses.ts'

interface WaitWords {
  reason: string
  /** The source of the duration. */
  by: string
}

const refused = 'The server said: too many requests'
const spent = 'The server said: no requests are left'

/** Why nothing is sent, for each source of a wait. */
export const waitWords: Record<WaitSource, WaitWords> = {
  'retry-after-ms': { reason: refused, by: 'the Retry-After-Ms header' },
  'retry-after:delay': { reason: refused, by: 'the Retry-After header' },
  'retry-after:date': { reason: refused, by: 'the Retry-After header, a date' },
  ratelimit: { reason: spent, by: 'the RateLimit header' },
  'ratelimit-legacy': { reason: spent, by: 'the RateLimit-Reset header' },
  'x-ratelimit': { reason: spent, by: 'the X-RateLimit-Reset header' },
  // The backoff is longer than the server's delay, or follows a lost response.
  backoff: { reason: 'The server is not ready yet', by: 'our own backoff' },
  manual: { reason: 'Paused by hand', by: 'this page' },
  shared: { reason: 'The server asked another tab to wait', by: 'the other tab' },
  none: { reason: `${refused}, without a time`, by: 'our own backoff' },
}

const seconds = (ms: number) => `${Number((ms / 1000).toFixed(2))} s`

/** What the server said, and how much jitter is added so that its clients do not all return at once. */
export function pauseWords({ source, saidMs, restMs }: Pause): string {
  if (!source.startsWith('retry-after') || saidMs === undefined) return waitWords[source].reason
  return `Server said wait ${seconds(saidMs)} + ${seconds(restMs - saidMs)} jitter`
}
