const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
const TIME = ' ([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60) '
const ZONE = `${TIME}(GMT|UTC|\\+0000)`

/** IMF-fixdate, asctime-date and rfc850-date. */
export const HTTP_DATE: RegExp = /* @__PURE__ */ new RegExp(
  `^[ \\t]*((Mon|Tue|Wed|Thu|Fri|Sat|Sun)(, \\d\\d [a-z]{3} \\d{4}${ZONE}| [a-z]{3} [ \\d]\\d${TIME}\\d{4})|` +
    `(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d\\d-[a-z]{3}-\\d\\d${ZONE})[ \\t]*$`,
  'i',
)

/**
 * Returns the ms since 1970 of an HTTP date in one of the three forms of RFC 9110 §5.6.7; undefined for any other text and for a
 * day that does not exist. Accepts any case, any weekday, and `UTC` or `+0000` for `GMT`.
 *
 * Second 60 is second 0 of the next minute. A two-digit year is the latest one that is at most 50 years after `now`.
 * It does not use the platform's parser, which differs by engine and time zone: V8 reads `retry 5` as a date.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  // Servers send about 30 characters.
  if (text.length > 1024 || !HTTP_DATE.test(text)) return undefined
  const numbers = text.match(/\d+/g)!.map(Number)
  // Only an asctime-date has no comma. Its year comes last.
  if (!text.includes(',')) numbers.splice(1, 0, numbers[4]!)
  const [day, fullYear, hour, minute, second] = numbers as [number, number, number, number, number]
  const name = text.match(/[a-z]+/gi)![1]!.toLowerCase()
  const month = MONTHS.indexOf(name) / 3
  const date = new Date(0)
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  const instantIn = (year: number): number =>
    date.setUTCFullYear(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000

  let year = fullYear
  if (text.includes('-')) for (year += 10_000; instantIn(year - 50) > now;) year -= 100
  const instant = instantIn(year)
  // A day that the month does not have becomes a day of the next month.
  return month % 1 || date.getUTCDate() !== day ? undefined : instant
}
