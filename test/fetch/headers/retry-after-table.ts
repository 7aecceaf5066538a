/** One input and what it is read as, in ms; `undefined`: as if the header were absent. */
export interface RetryAfterRow {
  row: number
  /** What the row shows, as a sentence. */
  shows: string
  value: string
  /** The response's `Date` header. */
  date?: string
  /** To the letter of RFC 9110, by our own clock. */
  strict: number | undefined
  /** Without `strict`, and by the server's clock where `date` names its time. */
  recommended: number | undefined
}

/** The wall clock of the whole table: Sat, 22 Aug 2026 12:00:00 GMT. */
export const tableNow: number = Date.UTC(2026, 7, 22, 12)

type Answer = number | undefined

const same = (row: number, shows: string, value: string, answer: Answer): RetryAfterRow => ({
  row,
  shows,
  value,
  strict: answer,
  recommended: answer,
})

const lenient = (row: number, shows: string, value: string, recommended: number): RetryAfterRow => ({
  row,
  shows,
  value,
  strict: undefined,
  recommended,
})

const malformed = (row: number, shows: string, value: string): RetryAfterRow =>
  same(row, shows, value, undefined)

/** Table A of the fetch reference: what `Retry-After` may hold, and, from row 52 on, clocks that disagree. */
export const retryAfterTable: readonly RetryAfterRow[] = [
  same(1, 'a number is in seconds', '120', 120_000),
  same(2, 'zero seconds is no wait', '0', 0),
  same(3, 'leading zeros do not count', '00120', 120_000),
  same(4, 'a space and a tab around it do not count', ' 120\t', 120_000),
  malformed(5, 'a minus sign is malformed', '-5'),
  malformed(6, 'a plus sign is malformed', '+5'),
  lenient(7, 'a decimal is a leniency', '1.5', 1500),
  malformed(8, 'a decimal without whole seconds is malformed', '.5'),
  malformed(9, 'a decimal without a fraction is malformed', '5.'),
  malformed(10, 'an exponent is malformed', '1e3'),
  malformed(11, 'a hexadecimal number is malformed', '0x10'),
  malformed(12, 'a digit separator is malformed', '1_000'),
  malformed(13, 'nothing at all is malformed', ''),
  malformed(14, 'the word Infinity is malformed', 'Infinity'),
  malformed(15, 'the word NaN is malformed', 'NaN'),
  malformed(16, 'a unit is malformed', '120s'),
  malformed(17, 'a unit in words is malformed', '120 seconds'),
  malformed(18, 'a comment as in SIP is malformed', "120 (I'm in a meeting)"),
  lenient(19, 'of a header sent twice the larger number counts', '5, 10', 10_000),
  lenient(20, 'a header sent twice alike is read as one', '120, 120', 120_000),
  same(21, 'the last delay that a platform timer takes is kept', '2147483', 2_147_483_000),
  same(22, 'a delay longer than a platform timer takes is kept', '2147484', 2_147_484_000),
  same(23, 'a delay of three years is kept', '99999999', 99_999_999_000),
  same(24, 'two to the 31st seconds is kept', '2147483648', 2_147_483_648_000),
  same(25, 'a number that is not a safe integer saturates', '99999999999999999999', 2_147_483_648_000),
  same(26, 'a number that would be Infinity saturates', '9'.repeat(400), 2_147_483_648_000),
  same(27, 'seconds since 1970 are a legal, absurd delay', '1787400120', 1_787_400_120_000),
  same(28, 'milliseconds since 1970 saturate', '1787400120000', 2_147_483_648_000),
  same(29, 'an IMF-fixdate is understood', 'Sat, 22 Aug 2026 12:02:00 GMT', 120_000),
  same(30, 'a date a minute ago is no wait', 'Sat, 22 Aug 2026 11:59:00 GMT', 0),
  same(31, 'a date of the last century is no wait', 'Fri, 31 Dec 1999 23:59:59 GMT', 0),
  same(32, 'an rfc850-date is understood', 'Saturday, 22-Aug-26 12:02:00 GMT', 120_000),
  same(33, 'the year 99 is 1999', 'Friday, 31-Dec-99 23:59:59 GMT', 0),
  same(34, 'the year 75 is 2075', 'Tuesday, 01-Jan-75 00:00:00 GMT', 1_526_126_400_000),
  same(35, 'an asctime-date is understood, in UTC', 'Sat Aug 22 12:02:00 2026', 120_000),
  same(
    36,
    'the day of an asctime-date may be padded with a space',
    'Sat Sep  5 12:00:00 2026',
    1_209_600_000,
  ),
  same(37, 'second 60 is the first of the next minute', 'Thu, 31 Dec 2026 23:59:60 GMT', 11_361_600_000),
  lenient(38, 'the zone UTC is a leniency', 'Sat, 22 Aug 2026 12:02:00 UTC', 120_000),
  lenient(39, 'the zone +0000 is a leniency', 'Sat, 22 Aug 2026 12:02:00 +0000', 120_000),
  malformed(40, 'another zone is malformed', 'Sat, 22 Aug 2026 08:02:00 -0400'),
  malformed(41, 'a missing zone is malformed', 'Sat, 22 Aug 2026 12:02:00'),
  lenient(42, 'another case is a leniency', 'sat, 22 aug 2026 12:02:00 gmt', 120_000),
  lenient(43, 'a wrong weekday is a leniency', 'Sun, 22 Aug 2026 12:02:00 GMT', 120_000),
  malformed(44, 'a day of one digit is malformed', 'Sat, 2 Aug 2026 12:02:00 GMT'),
  malformed(45, 'the 31st of February is malformed', 'Tue, 31 Feb 2026 12:00:00 GMT'),
  malformed(46, 'the 25th hour is malformed', 'Sat, 22 Aug 2026 25:00:00 GMT'),
  malformed(47, 'a date of ISO 8601 is malformed', '2026-08-22T12:02:00Z'),
  malformed(48, 'a date and a number are malformed', 'Sat, 22 Aug 2026 12:02:00 GMT, 10'),
  same(49, 'the last date of all is not saturated', 'Fri, 31 Dec 9999 23:59:59 GMT', 251_614_900_799_000),
  malformed(50, 'a word is malformed', 'soon'),
  malformed(51, 'a word and a number are malformed', 'retry 5'),
  {
    row: 52,
    shows: 'a server ten minutes ahead of us is read by its own clock',
    value: 'Sat, 22 Aug 2026 12:12:00 GMT',
    date: 'Sat, 22 Aug 2026 12:10:00 GMT',
    strict: 720_000,
    recommended: 120_000,
  },
  {
    row: 53,
    shows: 'a server ten minutes behind us is read by its own clock',
    value: 'Sat, 22 Aug 2026 11:52:00 GMT',
    date: 'Sat, 22 Aug 2026 11:50:00 GMT',
    strict: 0,
    recommended: 120_000,
  },
  {
    row: 54,
    shows: 'a malformed Date header leaves our own clock',
    value: 'Sat, 22 Aug 2026 12:02:00 GMT',
    date: 'malformed',
    strict: 120_000,
    recommended: 120_000,
  },
]
