import type { WaitSource } from './events.ts'
import type { RateLimitReading } from './read-rate-limit.ts'
import { readWait } from './read-wait.ts'
import type { Settings } from './settings.ts'

/** What a response means for its bucket and its call: the one place that decides it. */
export interface Verdict {
  /** Whether it was refused for a limit. R37 */
  readonly isThrottled: boolean
  /** Whether the status is one that is retried. R81 */
  readonly isRetryable: boolean
  /** Ms that the server asks to wait; undefined if it does not say, or says nonsense. */
  readonly waitMs: number | undefined
  readonly source: WaitSource
  /** What it says of its limits, as far as that is news. */
  readonly reading: RateLimitReading
}

export function judge(response: Response, settings: Settings): Verdict {
  const { status, headers } = response
  const { clock, strict, statuses } = settings
  const { waitMs, source, reading } = readWait(headers, {
    now: clock.wall(),
    strict,
  })
  const isTimed = waitMs !== undefined
  return {
    waitMs,
    reading,
    isRetryable: statuses.includes(status) && (status !== 413 || isTimed),
    // R10: of an opaque response, or an error, nothing is known.
    isThrottled:
      status === 429 || (status === 503 && isTimed) || (status !== 0 && settings.isThrottled(response)),
    // R20: of another origin a page sees only what is exposed to it.
    source: source === 'none' && response.type !== 'cors' ? 'backoff' : source,
  }
}
