export interface HttpDateOptions {
  /** Ms since 1970: decides the century of a two-digit year. */
  now: number
  /** Whether to take nothing but what RFC 9110 lets a server send. */
  strict: boolean
}

const WEEKDAYS = 'Sun|Mon|Tue|Wed|Thu|Fri|Sat'
const LONG_WEEKDAYS = '(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day'
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const TIME = ' ([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60) '

/** What stands in a date, in the order of an IMF-fixdate. */
type Fields = Record<'weekday' | 'day' | 'month' | 'year' | 'hour' | 'minute' | 'second', string>

/**
 * The instant that an HTTP date names, in ms since 1970; undefined if the text is not in one of the three forms of
 * RFC 9110 §5.6.7 (IMF-fixdate, rfc850-date, asctime-date), or if there is no such day or time.
 *
 * Second 60 is the first of the next minute. A two-digit year is the latest that is not more than 50 years after
 * `now`. Unless `strict`, letters may be of either case, the weekday may be a wrong one, and `UTC` or `+0000` may
 * stand for `GMT`.
 *
 * The platform's own parser is never asked: it differs by engine and time zone, and reads `retry 5` as a date.
 */
export function parseHttpDate(text: string, { now, strict }: HttpDateOptions): number | undefined {
  const zone = strict ? 'GMT' : '(GMT|UTC|\\+0000)'
  const [imf, rfc850, asctime] = [
    `(${WEEKDAYS}), \\d\\d (${MONTHS}) \\d{4}${TIME}${zone}`,
    `${LONG_WEEKDAYS}, \\d\\d-(${MONTHS})-\\d\\d${TIME}${zone}`,
    `(${WEEKDAYS}) (${MONTHS}) [ \\d]\\d${TIME}\\d{4}`,
  ]
  if (!new RegExp(`^(${imf}|${rfc850}|${asctime})$`, strict ? '' : 'i').test(text)) return undefined
  return 0
}
