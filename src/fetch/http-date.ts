export interface HttpDateOptions {
  /** Ms since 1970: decides the century of a two-digit year. */
  now: number
  /** Whether to take nothing but what RFC 9110 lets a server send. */
  strict: boolean
}

const WEEKDAY = '(?<weekday>Sun|Mon|Tue|Wed|Thu|Fri|Sat)'
const LONG_WEEKDAY = '(?<weekday>(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)'
const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const DAY = '(?<day>\\d\\d)'
const YEAR = '(?<year>\\d{4})'
const TIME = ' (?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60) '

type Field = 'weekday' | 'day' | 'month' | 'year' | 'hour' | 'minute' | 'second'

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
  const zone = strict ? 'GMT' : '(?:GMT|UTC|\\+0000)'
  const fields = [
    `${WEEKDAY}, ${DAY} ${MONTH} ${YEAR}${TIME}${zone}`,
    `${LONG_WEEKDAY}, ${DAY}-${MONTH}-(?<year>\\d\\d)${TIME}${zone}`,
    `${WEEKDAY} ${MONTH} (?<day>[ \\d]\\d)${TIME}${YEAR}`,
  ]
    .map((form) => new RegExp(`^${form}$`, strict ? '' : 'i').exec(text))
    .find((match) => match)?.groups as Record<Field, string> | undefined
  if (!fields) return undefined

  const { weekday, hour, minute, second } = fields
  const day = Number(fields.day)
  const month = indexOfName(MONTH, fields.month)
  const msOfDay = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const midnight = (year: number) => new Date(new Date(0).setUTCFullYear(year, month, day))

  let year = Number(fields.year)
  if (fields.year.length === 2) {
    const latest = new Date(now)
    latest.setUTCFullYear(latest.getUTCFullYear() + 50)
    year += Math.floor(latest.getUTCFullYear() / 100) * 100
    if (midnight(year).getTime() + msOfDay > latest.getTime()) year -= 100
  }

  const date = midnight(year)
  // A day that the month does not have has become one of another month.
  if (date.getUTCDate() !== day) return undefined
  if (strict && date.getUTCDay() !== indexOfName(WEEKDAY, weekday)) return undefined
  return date.getTime() + msOfDay
}

/** The place of a name, of which the first three letters count, among the alternatives of a pattern above. */
function indexOfName(alternatives: string, name: string): number {
  const names = alternatives.slice(alternatives.indexOf('>') + 1).toLowerCase()
  return names.indexOf(name.slice(0, 3).toLowerCase()) / 4
}
