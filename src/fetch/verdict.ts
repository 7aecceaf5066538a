import { parseRetryAfter } from './parse-retry-after.ts'
import type { WaitSource } from './events.ts'
import type { Settings } from './options.ts'

/** What a response means for its bucket and its call: the one place that decides it. */
export interface Verdict {
  /** Whether the bucket's gate closes. R37 */
  readonly isThrottled: boolean
  /** Whether the status is one that is retried. R81 */
  readonly isRetryable: boolean
  /** Ms that the server asks to wait; undefined if it does not say, or says nonsense. */
  readonly serverWaitMs: number | undefined
  readonly source: WaitSource
}

export function judge(response: Response, { clock, isThrottled, statuses }: Settings): Verdict {
  const { status, headers } = response
  const retryAfter = headers.get('retry-after')
  const serverWaitMs = parseRetryAfter(retryAfter, { now: clock.wall(), date: headers.get('date') })
  const isTimed = serverWaitMs !== undefined
  return {
    // R10: of an opaque response, or an error, nothing is known.
    isThrottled: status === 429 || (status === 503 && isTimed) || (status !== 0 && isThrottled(response)),
    isRetryable: statuses.includes(status) && (status !== 413 || isTimed),
    serverWaitMs,
    source: !isTimed ? 'backoff' : /[a-z]/i.test(retryAfter!) ? 'retry-after:date' : 'retry-after:delay',
  }
}
