import { checkFinite } from '../../core/shared/check.ts'
import { systemTime } from '../../core/time/clock.ts'
import type { Reading } from '../policy.ts'
import { HTTP_DATE, parseHttpDate } from './http-date.ts'

export interface RetryAfterOptions {
  /** The wall clock at the response, in ms since 1970. @default systemClock.wall() */
  now?: number | undefined
  /**
   * The response's `Date` header, which is the server's clock. If it is valid, a date in `Retry-After` is compared with it instead
   * of `now`. A page can read it from another origin only if it is exposed. Ignored if `strict`.
   */
  date?: string | null | undefined
  /**
   * Accept only the forms of RFC 9110. Otherwise also decimals; several delays separated by commas (the longest is
   * used); and dates in any case, with a wrong weekday, in `UTC` or `+0000`.
   * @default false
   */
  strict?: boolean | undefined
}

/** RFC 9111 §1.2.2: a number of seconds that is too large is read as 2^31. */
const MAX_MS = 2 ** 31 * 1000

/**
 * Returns the ms to wait after a response by its `Retry-After` header: a number of seconds or a date (RFC 9110 §10.2.3). Undefined
 * if the header is absent or malformed.
 *
 * 0 for a date in the past. Seconds are at most 2^31; fractions of a millisecond are rounded up.
 *
 * @throws TypeError or RangeError unless `now` is a finite number.
 */
export function parseRetryAfter(
  value: string | null | undefined,
  { now = systemTime.wall(), date, strict }: RetryAfterOptions = {},
): number | undefined {
  checkFinite('now', now)
  const waitMs = delayOf(value, now, strict ? undefined : date)
  return strict && waitMs !== undefined && !isStrict(value!, now) ? undefined : waitMs
}

/** Whether a valid value has the form of RFC 9110. */
function isStrict(value: string, now: number): boolean {
  if (!/[a-z]/i.test(value)) return /^[ \t]*\d+[ \t]*$/.test(value)
  const [weekday] = new Date(parseHttpDate(value.replace(':60 ', ':59 '), now)!).toUTCString().split(',')
  return (
    new RegExp(
      HTTP_DATE.source.replaceAll('[a-z]{3}', '[A-Z][a-z]{2}').replaceAll('(GMT|UTC|\\+0000)', 'GMT'),
    ).test(value) && value.trimStart().startsWith(weekday!)
  )
}

/** Reads `Retry-After`, and `retry-after-ms` or `x-ms-retry-after-ms`, which is preferred unless it is earlier by more than 1 s. */
export function readRetryAfter(headers: Headers, wallMs: number): Reading {
  const value = headers.get('retry-after')
  const delayMs = delayOf(value, wallMs, headers.get('date'))
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const exactMs = Math.min(Math.ceil(parseSeconds(headers.get(name) ?? '') / 1000), MAX_MS)
    if (exactMs >= 0 && !(delayMs! > exactMs + 1000)) return { waitMs: exactMs, source: 'retry-after-ms' }
  }
  if (value == null) return {}
  if (delayMs === undefined) return { source: 'backoff' }
  return { waitMs: delayMs, source: /[a-z]/i.test(value) ? 'retry-after:date' : 'retry-after:delay' }
}

function delayOf(value: string | null | undefined, now: number, date?: string | null): number | undefined {
  // Servers send about 30 characters.
  if (!value || value.length > 1024) return undefined
  const delayMs = Math.max(...value.split(',').map(parseSeconds))
  return delayMs >= 0 ? Math.min(delayMs, MAX_MS) : msUntil(parseHttpDate(value, now), now, date)
}

/** Returns the ms until `instant`, by the server's clock if its `Date` is valid, else by `now`. */
export function msUntil(instant: number | undefined, now: number, date?: string | null): number | undefined {
  return instant === undefined ? undefined : Math.max(0, instant - (parseHttpDate(date ?? '', now) ?? now))
}

/** Returns seconds as ms, rounded up, Infinity if too large, NaN if not a decimal number. Exact: `2.007 * 1000` is above 2007. */
export function parseSeconds(text: string): number {
  const match = /^[ \t]*(\d+)(?:\.(\d+))?[ \t]*$/.exec(text)
  return match ? Math.ceil(Number(match[1]! + (match[2] ?? '').padEnd(3, '0').replace(/.../, '$&.'))) : NaN
}
