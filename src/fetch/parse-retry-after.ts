import { systemClock } from '../core/clock.ts'
import { parseHttpDate } from './http-date.ts'

export interface RetryAfterOptions {
  /** Ms since 1970 by the wall clock, when the response came. @default systemClock.wall() */
  now?: number | undefined
  /**
   * The response's `Date` header. If it is valid, a date is waited for by the server's clock, and not by ours, which
   * may be set otherwise. A page sees that header of another origin only if it is exposed. Ignored if `strict`.
   */
  date?: string | null | undefined
  /**
   * Take nothing but what RFC 9110 lets a server send. Otherwise also decimals; several delays with commas between,
   * of which the longest counts; and dates of any case, with a wrong weekday, in `UTC` or `+0000`.
   * @default false
   */
  strict?: boolean | undefined
}

/** Servers send 30 characters or so; what is longer than this is not looked at. */
const LONGEST_TEXT = 1024

/** What RFC 9111 §1.2.2 makes of a number of seconds that is too large: 2^31. */
export const LONGEST_MS: number = 2 ** 31 * 1000

/**
 * How long a response asks to wait, in ms from when it came: the value of its `Retry-After` header, which is a number
 * of seconds or a date (RFC 9110 §10.2.3).
 *
 * Undefined if there is none or it is malformed, which is to be treated alike. 0 for a date that is past. Seconds
 * end at 2^31, and fractions of a millisecond are rounded up.
 */
export function parseRetryAfter(
  value: string | null | undefined,
  { now = systemClock.wall(), date, strict = false }: RetryAfterOptions = {},
): number | undefined {
  const text = trim(value)
  if (!text) return undefined
  const delays = (strict ? [text] : text.split(',')).map((part) => parseSeconds(trim(part), strict))
  const longest = Math.max(...delays)
  if (longest >= 0) return Math.min(longest, LONGEST_MS)

  return waitUntil(parseHttpDate(text, { now, strict }), now, strict ? '' : date)
}

/** Ms from when the response was sent: by its `Date`, if that is valid, or else by our clock. R16 */
export function waitUntil(
  instant: number | undefined,
  now: number,
  date: string | null | undefined,
): number | undefined {
  if (instant === undefined) return undefined
  return Math.max(0, instant - (parseHttpDate(trim(date), { now, strict: false }) ?? now))
}

/** In ms, Infinity too; NaN if it is not a number of seconds. Moves the point in the text, for 2.007 * 1000 is above 2007. */
export function parseSeconds(text: string, strict = false): number {
  const match = (strict ? /^(\d+)$/ : /^(\d+)(?:\.(\d{1,3})(\d*))?$/).exec(text)
  if (!match) return NaN
  const [, seconds = '', thousandths = '', rest = ''] = match
  return Number(seconds + thousandths.padEnd(3, '0')) + (Number(rest) > 0 ? 1 : 0)
}

/** Without the spaces and tabs around it (no other white space); empty if there is nothing, or too much. */
function trim(text: string | null | undefined): string {
  return (text && text.length <= LONGEST_TEXT && /[^ \t](?:[^]*[^ \t])?/.exec(text)?.[0]) || ''
}
