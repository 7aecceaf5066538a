import { systemClock } from '../core/clock.ts'
import type { WaitSource } from './events.ts'
import { LONGEST_MS, parseRetryAfter, parseSeconds } from './parse-retry-after.ts'
import {
  fieldsOf,
  NOTHING_READ,
  readFields,
  type RateLimitReading,
  type ReadRateLimitOptions,
} from './read-rate-limit.ts'

export interface Wait {
  /** Ms that the response asks to wait; undefined if it does not say. */
  readonly waitMs: number | undefined
  /** `backoff` if what it says is no use, `none` if it says nothing. R20 */
  readonly source: WaitSource
  readonly reading: RateLimitReading
}

/** Most responses say nothing. */
const SILENCE: Wait = { waitMs: undefined, source: 'none', reading: NOTHING_READ }

/** How long a throttled response asks to wait: the one place that decides which of its fields counts. R34 */
export function readWait(headers: Headers, options: ReadRateLimitOptions = {}): Wait {
  const fields = fieldsOf(headers)
  if (fields.size === 0) return SILENCE
  // Not before: to look at the clock costs more than the rest.
  const { now = systemClock.wall(), strict = false } = options
  const reading = readFields(fields, now, strict)
  const retryAfter = fields.get('retry-after')
  const delayMs = parseRetryAfter(retryAfter, { now, date: fields.get('date'), strict })
  const exact = strict ? undefined : (fields.get('retry-after-ms') ?? fields.get('x-ms-retry-after-ms'))
  const exactMs = Math.min(Math.ceil(parseSeconds(exact ?? '') / 1000), LONGEST_MS)
  const waits: [number | undefined, WaitSource | undefined][] = [
    // R19: the finer one, unless it would be much too early.
    [delayMs! > exactMs + 1000 ? undefined : exactMs, 'retry-after-ms'],
    [delayMs, /[a-z]/i.test(retryAfter ?? '') ? 'retry-after:date' : 'retry-after:delay'],
    [reading.waitMs, reading.source],
  ]
  const isSilent = (retryAfter ?? exact ?? reading.source) === undefined
  const [waitMs, source = isSilent ? 'none' : 'backoff'] = waits.find(([ms]) => ms! >= 0) ?? []
  return { waitMs, source, reading }
}
