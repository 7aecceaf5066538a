import fc from 'fast-check'
import { parseRetryAfter, readRateLimit, type RetryAfterOptions } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { forAll } from '../../laws/tries.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A calendar day, possibly invalid, and a time, in the three forms of RFC 9110. */
type Written = Record<'weekday' | 'month' | 'time', string> & Record<'day' | 'year', number>

const digits = (number: number, length: number, fill = '0'): string => String(number).padStart(length, fill)

const imfFixdate = ({ weekday, day, month, year, time }: Written): string =>
  `${weekday.slice(0, 3)}, ${digits(day, 2)} ${month} ${digits(year, 4)} ${time} GMT`
const rfc850Date = ({ weekday, day, month, year, time }: Written): string =>
  `${weekday}, ${digits(day, 2)}-${month}-${digits(year % 100, 2)} ${time} GMT`
const asctimeDate = ({ weekday, day, month, year, time }: Written, fill = ' '): string =>
  `${weekday.slice(0, 3)} ${month} ${digits(day, 2, fill)} ${time} ${digits(year, 4)}`

const NOW = Date.UTC(2026, 7, 22, 12)
const LONGEST_MS = 2_147_483_648_000

/** The first instant of the year 0, and its text. */
const YEAR_0 = -62_167_219_200_000
const YEAR_0_DATE = 'Sat, 01 Jan 0000 00:00:00 GMT'

const read = (value: string | null | undefined, options: RetryAfterOptions = {}) =>
  parseRetryAfter(value, { now: NOW, ...options })
const strictly = (value: string | null | undefined) => read(value, { strict: true })

/** The values between bars and line ends. */
const list = (texts: string) => texts.split(/ \| |\n */)
const expectMalformed = (value: string | null | undefined): void =>
  expect([value, read(value), strictly(value)]).toEqual([value, undefined, undefined])

/** The instant of a date: the wait since the year 0, so that past dates differ. */
function instantOf(text: string, options: RetryAfterOptions = { date: YEAR_0_DATE }): number | undefined {
  const wait = read(text, options)
  return wait === undefined ? undefined : YEAR_0 + wait
}
const strictInstantOf = (text: string) => instantOf(text, { now: YEAR_0, strict: true })

describe('the values of RFC 9110, and of servers', () => {
  it.each<[value: string, ms: number]>([
    ['120', 120_000],
    ['0', 0],
    [' 120\t', 120_000],
    // The longest delay of a platform timer, and longer ones.
    ['2147483', 2_147_483_000],
    ['2147484', 2_147_484_000],
    ['2147483648', LONGEST_MS],
    ['2147483649', LONGEST_MS],
    ['99999999999999999999', LONGEST_MS],
    ['9'.repeat(400), LONGEST_MS],
    // Seconds since 1970 are a legal, absurd delay; milliseconds saturate.
    ['1787400120', 1_787_400_120_000],
    ['1787400120000', LONGEST_MS],
    ['Sat, 22 Aug 2026 12:02:00 GMT', 120_000],
    ['\t Sat, 22 Aug 2026 12:02:00 GMT \t', 120_000],
    ['Sat, 22 Aug 2026 11:59:00 GMT', 0],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 0],
    ['Saturday, 22-Aug-26 12:02:00 GMT', 120_000],
    ['Friday, 31-Dec-99 23:59:59 GMT', 0],
    ['Tuesday, 01-Jan-75 00:00:00 GMT', 1_526_126_400_000],
    ['Sat Aug 22 12:02:00 2026', 120_000],
    ['Sat Sep  5 12:00:00 2026', 1_209_600_000],
    ['Thu, 31 Dec 2026 23:59:60 GMT', 11_361_600_000],
    // A date is not saturated.
    ['Fri, 31 Dec 9999 23:59:59 GMT', 251_614_900_799_000],
  ])('%j is %i ms', (value, ms) => {
    expect([read(value), strictly(value)]).toEqual([ms, ms])
  })

  it.each<[value: string, ms: number]>([
    ['1.5', 1500],
    ['2147483648.001', LONGEST_MS],
    // Of a repeated header, the longer delay counts.
    ['5, 10', 10_000],
    ['10,5', 10_000],
    ['120, 120', 120_000],
    ['5 ,\t10', 10_000],
    ['0, 0', 0],
    ['9, 10, 8', 10_000],
    ['1, 1.0001', 1001],
    [`1, ${'9'.repeat(400)}`, LONGEST_MS],
    ...list(`Sat, 22 Aug 2026 12:02:00 UTC | Sat, 22 Aug 2026 12:02:00 +0000 | sat, 22 aug 2026 12:02:00 gmt
      SAT, 22 AUG 2026 12:02:00 GMT | Sat, 22 Aug 2026 12:02:00 Utc | Sun, 22 Aug 2026 12:02:00 GMT
      saturday, 22-aug-26 12:02:00 gmt | Saturday, 22-Aug-26 12:02:00 +0000 | Sunday, 22-Aug-26 12:02:00 GMT
      Mon Aug 22 12:02:00 2026 | SUN AUG 22 12:02:00 2026`).map(
      (value) => [value, 120_000] as [string, number],
    ),
  ])('%j is %i ms, unless strict', (value, ms) => {
    expect([read(value), strictly(value)]).toEqual([ms, undefined])
  })

  const malformed: Record<string, readonly (string | null | undefined)[]> = {
    nothing: [null, undefined, '', ' ', ' \t ', ',', ', ', '.'],
    'a number in another spelling':
      list(`-5 | +5 | -0 | +0 | --5 | - 5 | .5 | 5. | 1.2.3 | 1..2 | 1e3 | 1e-3 | 1.5e3 | 0x10 | 0b1 | 0o7 | 5n | 1_000
      1 000 | 1'000 | ٥ | ５ | ² | ½ | "5" | [5] | Infinity | NaN | null | undefined | true | false`),
    'a unit or a word': list("120s | 120 seconds | 0 s | 120 (I'm in a meeting) | soon | retry 5 | GMT"),
    'a list with an invalid delay':
      list(`5, | ,5 | 5,,10 | 5, ,10 | 5, x | x, 5 | 5, -1 | 5; 10 | 5 10 | 5.,10 | 5, Infinity
      Sat, 22 Aug 2026 12:02:00 GMT, 10 | Sat, 22 Aug 2026 12:02:00 GMT, Sat, 22 Aug 2026 12:02:00 GMT`),
    'another white space': ['\n', '\r\n', '\v', '\f', '\u00a0', '\u2003', '\u2028', '\ufeff', '\0'].flatMap(
      (space) => [`${space}120`, `120${space}`, `5,${space}10`, `Sat, 22 Aug 2026 12:02:00 GMT${space}`],
    ),
    'an invalid date that the platform may parse':
      list(`2026-08-22T12:02:00Z | Aug 22 2026 | 8/22/26 | Sat Aug 22 2026 12:02:00 GMT+0000 | 22 Aug 2026 12:02:00 GMT
      Saturday, 22 Aug 2026 12:02:00 GMT | Sat, 22-Aug-26 12:02:00 GMT | Sat, 22-Aug-2026 12:02:00 GMT
      Saturday, 22-Aug-2026 12:02:00 GMT | Sat, 22 Aug 26 12:02:00 GMT | Sat, 22-Aug 2026 12:02:00 GMT
      Saturday, 2-Aug-26 12:02:00 GMT | Saturday,  5-Sep-26 12:00:00 GMT | Sat,  5 Sep 2026 12:00:00 GMT
      Sat, 2 Aug 2026 12:02:00 GMT | Sat,22 Aug 2026 12:02:00 GMT | Sat 22 Aug 2026 12:02:00 GMT
      Sat,  22 Aug 2026 12:02:00 GMT | Sat, 22\tAug 2026 12:02:00 GMT | Sat, 22 August 2026 12:02:00 GMT
      Sat, 22 Agu 2026 12:02:00 GMT | Sat, 22 08 2026 12:02:00 GMT | Sat, 22 Aug 12026 12:02:00 GMT
      Sat, 22 Aug 2026 2:02:00 GMT | Sat, 22 Aug 2026 12:02 GMT | Sat, 22 Aug 2026 12:02:00.5 GMT
      Sat, 22 Aug 2026 12.02.00 GMT | Sat, 22 Aug 2026 12:02:00GMT | Sat, 22 Aug 2026 12:02:00  GMT
      Sat, 22 Aug 2026 12:02:00 GMT (Greenwich) | xSat, 22 Aug 2026 12:02:00 GMT | , 22 Aug 2026 12:02:00 GMT
      Sat, 22 Aug 2026 12:02:00 GMT; | Sat, 22 Aug ٢٠٢٦ 12:02:00 GMT | Sat Sep 5 12:00:00 2026
      Sat, Aug 22 12:02:00 2026 | Saturday Aug 22 12:02:00 2026 | Sat Aug 22 12:02:00 26
      Sat Aug 22 12:02:00 20260 | Sat Aug 22 12:02:00 2026 GMT | Sat Aug 22 2026 12:02:00`),
    'another zone': list(
      '-0000 | -0400 | +00:00 | +000 | +00000 | +0100 | 0000 | Z | UT | EST | GMT0 | UTC+0 | ',
    ).flatMap((zone) => [`Sat, 22 Aug 2026 12:02:00 ${zone}`, `Saturday, 22-Aug-26 12:02:00 ${zone}`]),
    'no weekday': ['Foo', 'Tag', 'Sa', 'ſat', 'Sunrsday', 'Tueday', 'Saturdays', 'day', ''].flatMap(
      (weekday) => [
        `${weekday}, 22 Aug 2026 12:02:00 GMT`,
        `${weekday} Aug 22 12:02:00 2026`,
        `${weekday}, 22-Aug-26 12:02:00 GMT`,
      ],
    ),
  }

  it.each(Object.entries(malformed))('%s counts as no header, not as a wait of 0', (_, values) => {
    for (const value of values) {
      expectMalformed(value)
      expect(read(value, { date: 'Sat, 22 Aug 2026 12:10:00 GMT' })).toBeUndefined()
    }
  })

  it('are read up to 1024 characters', () => {
    for (const value of ['5'.padStart(1024, '0'), '5'.padEnd(1024)])
      expect([read(value), strictly(value)]).toEqual([5000, 5000])
    for (const value of ['5'.padStart(1025, '0'), '5'.padEnd(1025)]) expectMalformed(value)
    expect(read(`${'5,'.repeat(511)}10`)).toBe(10_000)
    expect(read(`${'5,'.repeat(512)}5`)).toBeUndefined()
  })

  it('may be a megabyte of any character, which yields no wait', () => {
    for (const unit of ['1', ' ', '\t', ',', '1,', '1.1', 'Sat, ', 'x', ' x', '\u0000']) {
      const megabyte = unit.repeat(2 ** 20 / unit.length)
      expectMalformed(megabyte)
      expect(read('Sat, 22 Aug 2026 12:02:00 GMT', { date: megabyte })).toBe(120_000)
    }
  })
})

describe('the base of a date', () => {
  const value = 'Sat, 22 Aug 2026 12:12:00 GMT'
  const date = 'Sat, 22 Aug 2026 12:10:00 GMT'

  it('is the Date header in any of the three forms, unless strict', () => {
    const others = list(
      'Sat Aug 22 12:10:00 2026 | sun, 22 aug 2026 12:10:00 utc | Saturday, 22-Aug-26 12:10:00 GMT',
    )
    for (const one of [date, `\t ${date} `, date.padEnd(1024), ...others])
      expect(read(value, { date: one })).toBe(120_000)
    // Also with a server clock behind ours.
    const early = { date: 'Sat, 22 Aug 2026 11:50:00 GMT' }
    expect(read('Sat, 22 Aug 2026 11:52:00 GMT', early)).toBe(120_000)
    expect(read(value, { date, strict: true })).toBe(720_000)
    // By our clock.
    expect(read(value, { date: 'Sunday, 22-Aug-76 12:10:00 GMT' })).toBe(
      Date.UTC(2026, 7, 22, 12, 12) - Date.UTC(1976, 7, 22, 12, 10),
    )
  })

  it('is now without a valid Date header', () => {
    const malformed = list('0 | 120 | 1787400600 | malformed | Tue, 31 Feb 2026 12:00:00 GMT | 2026-08-22')
    for (const one of [undefined, null, '', ...malformed, `${date}\u00a0`, date.padEnd(1025)])
      expect(read(value, { date: one })).toBe(720_000)
  })

  it('may be after the date: a past date yields no wait', () => {
    expect(read(value, { date: value })).toBe(0)
    expect(read(value, { date: 'Sat, 22 Aug 2026 12:12:01 GMT' })).toBe(0)
    const then = Date.UTC(2026, 7, 22, 12, 12)
    expect([-1, 0, 1].map((ms) => read(value, { now: then + ms }))).toEqual([1, 0, 0])
  })

  it('is the wall clock at the call by default', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    expect(parseRetryAfter(value)).toBe(720_000)
    vi.setSystemTime(NOW + 600_000)
    expect(parseRetryAfter(value, { now: undefined, date: undefined, strict: undefined })).toBe(120_000)
  })

  it.each([
    [NaN, RangeError],
    [-Infinity, RangeError],
    ['0', TypeError],
    [null, TypeError],
  ])('has to be a finite number, not %o', (now, Wrong) => {
    const options = { now: now as number }
    expect(() => parseRetryAfter(value, options)).toThrow(Wrong)
    expect(() => readRateLimit(new Headers(), options)).toThrow(Wrong)
  })
})

it('a year of two digits is up to exactly 50 years ahead, and the previous century from a second later', () => {
  const [last, first] = ['Saturday, 22-Aug-76 12:00:00 GMT', 'Sunday, 22-Aug-76 12:00:01 GMT']
  expect(instantOf(last)).toBe(Date.UTC(2076, 7, 22, 12))
  expect(strictly(last)).toBe(Date.UTC(2076, 7, 22, 12) - NOW)
  expect(instantOf(first)).toBe(Date.UTC(1976, 7, 22, 12, 0, 1))
  expect(strictly(first)).toBe(0)
})

describe('every value', () => {
  it('that is a decimal is rounded up to the millisecond exactly, unless strict', () => {
    const digitsUpTo = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength })
    forAll(10_000, digitsUpTo(12), digitsUpTo(30), (whole, fraction) => {
      const scale = 10n ** BigInt(fraction.length)
      const ms = (BigInt(whole + fraction) * 1000n + scale - 1n) / scale
      expect(read(`${whole}.${fraction}`)).toBe(Math.min(Number(ms), LONGEST_MS))
      expect(strictly(`${whole}.${fraction}`)).toBeUndefined()
    })
  })

  it('that is a date yields its calendar instant in all three forms, and undefined for an invalid date', () => {
    const number = (most: number) => fc.integer({ min: 0, max: most })
    const years = fc.constantFrom(0, 1, 400, 1900, 2000, 2026, 2028, 2100, 9999)
    const date = fc.tuple(years, fc.nat(11), number(32))
    const time = fc.tuple(number(25), number(62), number(62))
    forAll(10_000, date, time, ([year, month, day], [hour, minute, second]) => {
      const midnight = new Date(0).setUTCFullYear(year, month, day)
      const isDay = day > 0 && day <= new Date(Date.UTC(2000 + (year % 400), month + 1, 0)).getUTCDate()
      // Second 60 is the first of the next minute.
      const isTime = hour < 24 && minute < 60 && second <= 60
      const expected = isDay && isTime ? midnight + (hour * 3600 + minute * 60 + second) * 1000 : undefined
      const time = [hour, minute, second].map((part) => digits(part, 2)).join(':')
      const weekday = weekdays[new Date(midnight).getUTCDay()]!
      const written = { weekday, day, month: months[month]!, year, time }
      for (const text of [imfFixdate(written), asctimeDate(written), asctimeDate(written, '0')])
        expect([text, strictInstantOf(text), instantOf(text)]).toEqual([text, expected, expected])
      if (year >= 1977 && year <= 2076) expect(instantOf(rfc850Date(written))).toBe(expected)
    })
  })
})
