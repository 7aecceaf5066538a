export interface HttpDateOptions {
  /** Ms since 1970: decides the century of a two-digit year. */
  now: number
  /** Whether to take nothing but what RFC 9110 lets a server send. */
  strict: boolean
}

const WEEKDAY = '(Sun|Mon|Tue|Wed|Thu|Fri|Sat)'
export const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const TIME = ' ([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60) '

/** IMF-fixdate, asctime-date, rfc850-date. */
const HTTP_DATE =
  `^(${WEEKDAY}, \\d\\d (${MONTHS}) \\d{4}${TIME}GMT` +
  `|${WEEKDAY} (${MONTHS}) [ \\d]\\d${TIME}\\d{4}` +
  `|(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, \\d\\d-(${MONTHS})-\\d\\d${TIME}GMT)$`

const STRICT = /* @__PURE__ */ new RegExp(HTTP_DATE)
const LENIENT = /* @__PURE__ */ new RegExp(HTTP_DATE.replaceAll('GMT', '(GMT|UTC|\\+0000)'), 'i')

/**
 * The instant that an HTTP date names, in ms since 1970; undefined if the text has none of the three forms of
 * RFC 9110 §5.6.7, or if there is no such day or time.
 *
 * Second 60 is the first of the next minute. A two-digit year is the latest that is not more than 50 years after
 * `now`. Unless `strict`, letters may be of either case, the weekday may be a wrong one, and `UTC` or `+0000` may
 * stand for `GMT`.
 *
 * The platform's own parser is never asked: it differs by engine and time zone, and V8's reads `retry 5` as a date.
 */
export function parseHttpDate(text: string, { now, strict }: HttpDateOptions): number | undefined {
  if (!(strict ? STRICT : LENIENT).test(text)) return undefined

  const numbers = text.match(/\d+/g)!.map(Number)
  // An asctime-date, alone without a comma, has its year last; it goes where the other forms have it.
  if (!text.includes(',')) numbers.splice(1, 0, numbers.pop()!)
  const [day, year, hour, minute, second] = numbers as [number, number, number, number, number]
  const month = MONTHS.split('|').findIndex((name) => new RegExp(name, 'i').test(text))
  const msOfDay = ((hour * 60 + minute) * 60 + second) * 1000
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const midnight = (ofYear: number) => new Date(0).setUTCFullYear(ofYear, month, day)

  let fullYear = year
  if (text.includes('-')) {
    const latest = new Date(now)
    const latestYear = latest.getUTCFullYear() + 50
    fullYear += Math.floor(latestYear / 100) * 100
    if (midnight(fullYear) + msOfDay > latest.setUTCFullYear(latestYear)) fullYear -= 100
  }

  const date = new Date(midnight(fullYear))
  // A day that the month does not have has become one of another month.
  if (date.getUTCDate() !== day) return undefined
  if (strict && !text.startsWith(date.toUTCString().slice(0, 3))) return undefined
  return date.getTime() + msOfDay
}
