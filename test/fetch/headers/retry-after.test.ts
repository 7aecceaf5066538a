import fc from 'fast-check'
import { parseRetryAfter, type RetryAfterOptions } from '../../../src/fetch/headers/retry-after.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tableNow } from './retry-after-table.ts'
import { tries } from '../../laws/tries.ts'

const LONGEST_MS = 2_147_483_648_000

/** The first instant of the year 0, and how it is written. */
const YEAR_0 = -62_167_219_200_000
const YEAR_0_DATE = 'Sat, 01 Jan 0000 00:00:00 GMT'

const bothModes = [true, false]
const read = (value: string | null | undefined, options: RetryAfterOptions = {}) =>
  parseRetryAfter(value, { now: tableNow, ...options })
const strictly = (value: string) => read(value, { strict: true })

const list = (texts: string) => texts.split(' | ')
const expectMalformed = (value: string | null | undefined) => {
  for (const strict of bothModes) expect(read(value, { strict })).toBeUndefined()
}

/** The instant that a date names: the wait since the year 0, so that no past is lost. */
function instantOf(text: string, now = tableNow): number | undefined {
  const wait = parseRetryAfter(text, { now, date: YEAR_0_DATE })
  return wait === undefined ? undefined : YEAR_0 + wait
}
function strictInstantOf(text: string): number | undefined {
  const wait = parseRetryAfter(text, { now: YEAR_0, strict: true })
  return wait === undefined ? undefined : YEAR_0 + wait
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const digits = (number: number, length: number, fill = '0') => String(number).padStart(length, fill)

function fieldsOf(ms: number) {
  const date = new Date(ms)
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
  return {
    weekday: weekdays[date.getUTCDay()]!,
    day: date.getUTCDate(),
    month: months[date.getUTCMonth()]!,
    year: date.getUTCFullYear(),
    time: clock.map((part) => digits(part, 2)).join(':'),
  }
}
function imfFixdate(ms: number): string {
  const { weekday, day, month, year, time } = fieldsOf(ms)
  return `${weekday.slice(0, 3)}, ${digits(day, 2)} ${month} ${digits(year, 4)} ${time} GMT`
}
function rfc850Date(ms: number): string {
  const { weekday, day, month, year, time } = fieldsOf(ms)
  return `${weekday}, ${digits(day, 2)}-${month}-${digits(year % 100, 2)} ${time} GMT`
}
function asctimeDate(ms: number, fill = ' '): string {
  const { weekday, day, month, year, time } = fieldsOf(ms)
  return `${weekday.slice(0, 3)} ${month} ${digits(day, 2, fill)} ${time} ${digits(year, 4)}`
}

/** The same instant after 50 years, by the calendar. */
function fiftyYearsAfter(ms: number): number {
  const date = new Date(ms)
  return date.setUTCFullYear(date.getUTCFullYear() + 50)
}

const seconds = (from: number, to: number) =>
  fc.integer({ min: from / 1000, max: to / 1000 }).map((second) => second * 1000)
const anyInstant = seconds(0, Date.UTC(9999, 11, 31, 23, 59, 59))

/** Up to three characters of a text replaced, dropped or doubled, or others put in. */
const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(
        fc.record({
          at: fc.nat(40),
          drop: fc.nat(2),
          insert: fc.oneof(
            fc.constantFrom(...'0123456789 ,:-+.\tGMTUCaegS'.split('')),
            fc.string({ maxLength: 2 }),
          ),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([text, edits]) =>
      edits.reduce(
        (result, { at, drop, insert }) => result.slice(0, at) + insert + result.slice(at + drop),
        text,
      ),
    )

const validDate = fc
  .tuple(anyInstant, fc.constantFrom(imfFixdate, rfc850Date, asctimeDate))
  .map(([ms, format]) => format(ms))
const validValue = fc.oneof(
  fc.nat().map(String),
  fc.tuple(fc.nat(), fc.nat()).map(([whole, fraction]) => `${String(whole)}.${String(fraction)}`),
  fc.array(fc.nat(), { minLength: 2, maxLength: 4 }).map((numbers) => numbers.join(', ')),
  validDate,
)
const anyValue = fc.oneof(
  validValue,
  mutated(validValue),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'0123456789., \t:-+GMT'.split('')) }),
)

afterEach(() => {
  vi.useRealTimers()
})

describe('the text of the header', () => {
  it('loses the spaces and tabs around it, however many', () => {
    for (const strict of bothModes) {
      expect(read(' \t \t120 \t\t ', { strict })).toBe(120_000)
      expect(read('\t Sat, 22 Aug 2026 12:02:00 GMT \t', { strict })).toBe(120_000)
    }
  })

  it('keeps any other white space, and is malformed with it', () => {
    for (const space of ['\n', '\r\n', '\v', '\f', '\u00a0', '\u2003', '\u2028', '\ufeff', '\0']) {
      for (const value of [`${space}120`, `120${space}`, `Sat, 22 Aug 2026 12:02:00 GMT${space}`]) {
        expectMalformed(value)
      }
      expect(read(`5,${space}10`)).toBeUndefined()
    }
  })

  it('is read up to 1024 characters and ignored from 1025', () => {
    for (const strict of bothModes) {
      expect(read('5'.padStart(1024, '0'), { strict })).toBe(5000)
      expect(read('5'.padStart(1025, '0'), { strict })).toBeUndefined()
      expect(read('5'.padEnd(1024, ' '), { strict })).toBe(5000)
      expect(read('5'.padEnd(1025, ' '), { strict })).toBeUndefined()
    }
    expect(read(`${'5,'.repeat(511)}10`)).toBe(10_000)
    expect(read(`${'5,'.repeat(512)}5`)).toBeUndefined()
  })

  it('may be a megabyte of anything, which is no wait', () => {
    for (const unit of ['1', ' ', '\t', ',', '1,', '1.1', 'Sat, ', 'x', ' x', '\u0000']) {
      const megabyte = unit.repeat(2 ** 20 / unit.length)
      expectMalformed(megabyte)
      expect(read('Sat, 22 Aug 2026 12:02:00 GMT', { date: megabyte })).toBe(120_000)
    }
  })

  it('is treated alike in the Date header', () => {
    const value = 'Sat, 22 Aug 2026 12:12:00 GMT'
    const date = 'Sat, 22 Aug 2026 12:10:00 GMT'
    expect(read(value, { date: `\t ${date} ` })).toBe(120_000)
    expect(read(value, { date: `${date}\u00a0` })).toBe(720_000)
    expect(read(value, { date: date.padEnd(1024) })).toBe(120_000)
    expect(read(value, { date: date.padEnd(1025) })).toBe(720_000)
  })
})

describe('a number of seconds', () => {
  it('saturates at two to the 31st seconds', () => {
    for (const strict of bothModes) {
      expect(read('2147483647', { strict })).toBe(2_147_483_647_000)
      expect(read('2147483649', { strict })).toBe(LONGEST_MS)
      expect(read('9007199254740993', { strict })).toBe(LONGEST_MS)
      expect(read('9'.repeat(1024), { strict })).toBe(LONGEST_MS)
    }
    expect(read('2147483648.001')).toBe(LONGEST_MS)
    expect(read(`1, ${'9'.repeat(400)}`)).toBe(LONGEST_MS)
  })

  it('has no other spelling', () => {
    list("0b1 | 0o7 | 5n | 1 000 | 1 2 | 1'000 | 1e-3 | 1.5e3 | 5s | 5,5. | ٥ | ５ | ² | ½").forEach(
      expectMalformed,
    )
    list('--5 | - 5 | 1.2.3 | 1..2 | "5" | null | undefined | true | [5]').forEach(expectMalformed)
  })

  it('is multiplied by a thousand and nothing else, for every number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 }), fc.nat(5), fc.boolean(), (number, zeros, strict) => {
        const value = '0'.repeat(zeros) + String(number)
        expect(read(value, { strict })).toBe(Math.min(number * 1000, LONGEST_MS))
      }),
      tries(10_000),
    )
  })
})

describe('a date', () => {
  it('is the same instant in all three forms, from 1970 to 9999', () => {
    fc.assert(
      fc.property(anyInstant, (ms) => {
        const imf = imfFixdate(ms)
        expect(imf).toBe(new Date(ms).toUTCString())
        for (const text of [imf, asctimeDate(ms), asctimeDate(ms, '0')]) {
          expect(strictInstantOf(text)).toBe(ms)
          expect(instantOf(text)).toBe(ms)
        }
      }),
      tries(10_000),
    )
    const within50Years = seconds(Date.UTC(1976, 7, 22, 12, 0, 1), Date.UTC(2076, 7, 22, 12))
    fc.assert(
      fc.property(within50Years, (ms) => {
        expect(instantOf(rfc850Date(ms))).toBe(ms)
        expect(strictly(rfc850Date(ms))).toBe(Math.max(0, ms - tableNow))
      }),
      tries(10_000),
    )
  })

  it('is never read as the platform would', () => {
    const values = list(
      "retry 5 | 120 (I'm in a meeting) | -5 | 2026-08-22T12:02:00Z | Aug 22 2026 | 8/22/26",
    )
    for (const value of [...values, 'Sat, 22 Aug 2026 12:02 GMT', 'Sat Aug 22 2026 12:02:00 GMT+0000']) {
      expect(Date.parse(value)).not.toBeNaN()
      expectMalformed(value)
    }
    expect(Date.parse('5, 10')).not.toBeNaN()
    expect(strictly('5, 10')).toBeUndefined()
  })

  it.each([
    'Saturday, 22 Aug 2026 12:02:00 GMT',
    'Sat, 22-Aug-26 12:02:00 GMT',
    'Sat, 22-Aug-2026 12:02:00 GMT',
    'Saturday, 22-Aug-2026 12:02:00 GMT',
    'Sat, 22 Aug 26 12:02:00 GMT',
    'Sat, 22-Aug 2026 12:02:00 GMT',
    'Saturday, 22 Aug-26 12:02:00 GMT',
    'Saturday, 2-Aug-26 12:02:00 GMT',
    'Saturday,  5-Sep-26 12:00:00 GMT',
    'Sat,  5 Sep 2026 12:00:00 GMT',
    'Sat,22 Aug 2026 12:02:00 GMT',
    'Sat 22 Aug 2026 12:02:00 GMT',
    'Sat,  22 Aug 2026 12:02:00 GMT',
    'Sat, 22  Aug 2026 12:02:00 GMT',
    'Sat, 22\tAug 2026 12:02:00 GMT',
    'Sat, 22 August 2026 12:02:00 GMT',
    'Sat, 22 Agu 2026 12:02:00 GMT',
    'Sat, 22 08 2026 12:02:00 GMT',
    'Sat, 22 Aug 02026 12:02:00 GMT',
    'Sat, 22 Aug 12026 12:02:00 GMT',
    'Sat, 22 Aug -026 12:02:00 GMT',
    'Sat, 22 Aug 2026 2:02:00 GMT',
    'Sat, 22 Aug 2026 12:2:00 GMT',
    'Sat, 22 Aug 2026 12:02 GMT',
    'Sat, 22 Aug 2026 12:02:0 GMT',
    'Sat, 22 Aug 2026 12:02:00.5 GMT',
    'Sat, 22 Aug 2026 12.02.00 GMT',
    'Sat, 22 Aug 2026 12:02:00GMT',
    'Sat, 22 Aug 2026 12:02:00  GMT',
    'Sat, 22 Aug 2026 12:02:00 GMT+0000',
    'Sat, 22 Aug 2026 12:02:00 GMT (Greenwich)',
    'xSat, 22 Aug 2026 12:02:00 GMT',
    'Sat, 22 Aug 2026 12:02:00 GMT;',
    'Sat, 22 Aug 2026 12:02:00 GMT\n',
    'Sat, 22 Aug 2026 12:02:00 GMT\nSat, 22 Aug 2026 12:02:00 GMT',
    'Sat, 22 Aug 2026 12:02:00 GMT, Sat, 22 Aug 2026 12:02:00 GMT',
    '22 Aug 2026 12:02:00 GMT',
    ', 22 Aug 2026 12:02:00 GMT',
    'Sat, 22 Aug ٢٠٢٦ 12:02:00 GMT',
    'Sat Sep 5 12:00:00 2026',
    'Sat, Aug 22 12:02:00 2026',
    'Saturday Aug 22 12:02:00 2026',
    'Sat Aug 22 12:02:00 26',
    'Sat Aug 22 12:02:00 20260',
    'Sat Aug 22 12:02:00 2026 GMT',
    'Sat Aug 22 12:02:00 GMT 2026',
    'Sat Aug 22 2026 12:02:00',
  ])('is not %j', (value) => {
    expectMalformed(value)
  })
})

describe('a year of two digits', () => {
  it('may be exactly 50 years ahead, and is the century before from a second later', () => {
    expect(instantOf('Saturday, 22-Aug-76 12:00:00 GMT')).toBe(Date.UTC(2076, 7, 22, 12))
    expect(strictly('Saturday, 22-Aug-76 12:00:00 GMT')).toBe(Date.UTC(2076, 7, 22, 12) - tableNow)
    expect(instantOf('Sunday, 22-Aug-76 12:00:01 GMT')).toBe(Date.UTC(1976, 7, 22, 12, 0, 1))
    expect(strictly('Sunday, 22-Aug-76 12:00:01 GMT')).toBe(0)
  })

  it('is the latest not more than 50 years ahead, from any now and for any date', () => {
    fc.assert(
      fc.property(anyInstant, seconds(0, Date.UTC(2399, 11, 31)), fc.nat(999), (now, of, ms) => {
        const date = new Date(of)
        // The 29th of February is left out, which not every century has.
        fc.pre(date.getUTCMonth() !== 1 || date.getUTCDate() !== 29)
        date.setUTCFullYear(10_200 + (date.getUTCFullYear() % 100))
        while (date.getTime() > fiftyYearsAfter(now + ms)) date.setUTCFullYear(date.getUTCFullYear() - 100)
        expect(instantOf(rfc850Date(of), now + ms)).toBe(date.getTime())
      }),
      tries(10_000),
    )
  })

  it('is not a year of four digits that begins with zeros', () => {
    expect(instantOf('Fri, 31 Dec 0099 23:59:59 GMT')).toBe(new Date(0).setUTCFullYear(99, 11, 32) - 1000)
  })

  it('goes by our clock in a Date header too', () => {
    const value = 'Sat, 22 Aug 2026 12:12:00 GMT'
    expect(read(value, { date: 'Saturday, 22-Aug-26 12:10:00 GMT' })).toBe(120_000)
    expect(read(value, { date: 'Sunday, 22-Aug-76 12:10:00 GMT' })).toBe(
      Date.UTC(2026, 7, 22, 12, 12) - Date.UTC(1976, 7, 22, 12, 10),
    )
  })
})

describe('what a date is waited for from', () => {
  const value = 'Sat, 22 Aug 2026 12:12:00 GMT'

  it('is the Date header in any of the three forms', () => {
    expect(read(value, { date: 'Sat, 22 Aug 2026 12:10:00 GMT' })).toBe(120_000)
    expect(read(value, { date: 'Saturday, 22-Aug-26 12:10:00 GMT' })).toBe(120_000)
    expect(read(value, { date: 'Sat Aug 22 12:10:00 2026' })).toBe(120_000)
    expect(read(value, { date: 'sun, 22 aug 2026 12:10:00 utc' })).toBe(120_000)
  })

  it('is now where there is no valid Date header', () => {
    const malformed = list('0 | 120 | 1787400600 | Tue, 31 Feb 2026 12:00:00 GMT | 2026-08-22')
    for (const date of [undefined, null, '', ...malformed]) {
      expect(read(value, { date })).toBe(720_000)
    }
    expect(read(value)).toBe(720_000)
  })

  it('is now, whatever the Date header says, if strict', () => {
    expect(read(value, { date: 'Sat, 22 Aug 2026 12:10:00 GMT', strict: true })).toBe(720_000)
  })

  it('is never after it: a date that is past is no wait', () => {
    expect(read(value, { date: value })).toBe(0)
    expect(read(value, { date: 'Sat, 22 Aug 2026 12:12:01 GMT' })).toBe(0)
    expect(read(value, { now: Date.UTC(2026, 7, 22, 12, 12) })).toBe(0)
    expect(read(value, { now: Date.UTC(2026, 7, 22, 12, 12, 0, 1) })).toBe(0)
    expect(read(value, { now: Date.UTC(2026, 7, 22, 12, 11, 59, 999) })).toBe(1)
  })

  it('does not matter to a number of seconds', () => {
    expect(read('120', { date: 'Sat, 22 Aug 2026 12:10:00 GMT' })).toBe(120_000)
    expect(read('120', { now: 0 })).toBe(120_000)
  })

  it('is the wall clock at the call unless said otherwise', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: tableNow })
    expect(parseRetryAfter(value)).toBe(720_000)
    vi.setSystemTime(tableNow + 600_000)
    expect(parseRetryAfter(value, {})).toBe(120_000)
    expect(parseRetryAfter(value, { now: undefined, date: undefined, strict: undefined })).toBe(120_000)
    expect(parseRetryAfter('1.5', { strict: undefined })).toBe(1500)
  })
})

describe('a malformed header', () => {
  it('is as one that is absent, and not a wait of 0', () => {
    for (const value of [null, undefined, '', ' ', ' \t ', ',', ', ', '.']) expectMalformed(value)
    list('-0 | +0 | GMT | 0x0 | false | 0 s').forEach(expectMalformed)
  })

  it('has no wait with a Date header either', () => {
    for (const value of [null, undefined, '', 'soon', 'Tue, 31 Feb 2026 12:00:00 GMT']) {
      expect(read(value, { date: 'Sat, 22 Aug 2026 12:10:00 GMT' })).toBeUndefined()
    }
  })
})

describe('a decimal', () => {
  it('is rounded up to the millisecond exactly', () => {
    const digitsOf = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength })
    fc.assert(
      fc.property(digitsOf(12), digitsOf(30), (whole, fraction) => {
        const scale = 10n ** BigInt(fraction.length)
        const ms = (BigInt(whole + fraction) * 1000n + scale - 1n) / scale
        expect(read(`${whole}.${fraction}`)).toBe(Math.min(Number(ms), LONGEST_MS))
        expect(strictly(`${whole}.${fraction}`)).toBeUndefined()
      }),
      tries(10_000),
    )
  })
})

describe('a date of any numbers', () => {
  it('is the instant that the calendar knows, and malformed where it knows none', () => {
    const number = (most: number) => fc.integer({ min: 0, max: most })
    const parts = fc.tuple(fc.constantFrom(0, 1, 400, 1900, 2000, 2026, 2028, 2100), fc.nat(11), number(32))
    const times = fc.tuple(number(25), number(62), number(62))
    fc.assert(
      fc.property(parts, times, ([year, month, day], [hour, minute, second]) => {
        const ms = new Date(0).setUTCFullYear(year, month, day) + (hour * 3600 + minute * 60 + second) * 1000
        const isDay = day > 0 && day <= new Date(Date.UTC(2000 + (year % 400), month + 1, 0)).getUTCDate()
        // Second 60 is the first of the next minute.
        const isTime = hour < 24 && minute < 60 && second <= 60
        const time = [hour, minute, second].map((part) => digits(part, 2)).join(':')
        const weekday = weekdays[new Date(new Date(0).setUTCFullYear(year, month, day)).getUTCDay()]!
        const short = weekday.slice(0, 3)
        const expected = isDay && isTime ? ms : undefined
        const imf = `${short}, ${digits(day, 2)} ${months[month]!} ${digits(year, 4)} ${time} GMT`
        const asctime = `${short} ${months[month]!} ${digits(day, 2)} ${time} ${digits(year, 4)}`
        for (const text of [imf, asctime]) {
          expect(strictInstantOf(text)).toBe(expected)
          expect(instantOf(text)).toBe(expected)
        }
        if (year < 1977 || year > 2076) return
        const rfc850 = `${weekday}, ${digits(day, 2)}-${months[month]!}-${digits(year % 100, 2)} ${time} GMT`
        expect(instantOf(rfc850)).toBe(expected)
      }),
      tries(2000),
    )
  })
})

describe('a list of delays', () => {
  it.each([
    ['5,10', 10_000],
    ['10, 5', 10_000],
    ['5 ,\t10', 10_000],
    ['0, 0', 0],
    ['9, 10, 8', 10_000],
    ['1.5, 1', 1500],
    ['1, 1.0001', 1001],
  ])('%j is the largest of them', (value, ms) => {
    expect(read(value)).toBe(ms)
    expect(strictly(value)).toBeUndefined()
  })

  it.each(
    list('5, | ,5 | 5,,10 | 5, ,10 | 5, x | x, 5 | 5, -1 | 5; 10 | 5 10 | 5.,10 | 5, Infinity | 5, NaN'),
  )('%j is malformed as a whole', (value) => {
    expectMalformed(value)
  })
})

describe('a careless date', () => {
  it.each([
    'SAT, 22 AUG 2026 12:02:00 GMT',
    'Sat, 22 Aug 2026 12:02:00 gmt',
    'Sat, 22 aug 2026 12:02:00 GMT',
    'sat, 22 Aug 2026 12:02:00 GMT',
    'Sat, 22 Aug 2026 12:02:00 Utc',
    'saturday, 22-aug-26 12:02:00 gmt',
    'SATURDAY, 22-AUG-26 12:02:00 UTC',
    'Saturday, 22-Aug-26 12:02:00 UTC',
    'Saturday, 22-Aug-26 12:02:00 +0000',
    'Sunday, 22-Aug-26 12:02:00 GMT',
    'Mon Aug 22 12:02:00 2026',
    'sat aug 22 12:02:00 2026',
    'SUN AUG 22 12:02:00 2026',
  ])('%s is understood, unless strict', (value) => {
    expect(read(value)).toBe(120_000)
    expect(strictly(value)).toBeUndefined()
  })

  it('may have any month in any case, and any weekday', () => {
    months.forEach((month, index) => {
      for (const weekday of weekdays) {
        for (const name of [month.toLowerCase(), month.toUpperCase()]) {
          const short = weekday.slice(0, 3)
          const ms = Date.UTC(2027, index, 7)
          expect(instantOf(`${short}, 07 ${name} 2027 00:00:00 GMT`)).toBe(ms)
          expect(instantOf(`${weekday}, 07-${name}-27 00:00:00 GMT`)).toBe(ms)
          expect(instantOf(`${short} ${name}  7 00:00:00 2027`)).toBe(ms)
        }
      }
    })
  })

  it.each(
    list('-0000 | +00:00 | +000 | +00000 | +0100 | +0001 | 0000 | Z | UT | EST | GMT0 | UTC+0 | BST | '),
  )('is malformed in the zone "%s"', (zone) => {
    expectMalformed(`Sat, 22 Aug 2026 12:02:00 ${zone}`)
    expectMalformed(`Saturday, 22-Aug-26 12:02:00 ${zone}`)
  })

  it('needs the name of some weekday, and letters of ASCII', () => {
    for (const weekday of ['Foo', 'Tag', 'S', '', 'Sa', 'ſat']) {
      expect(read(`${weekday}, 22 Aug 2026 12:02:00 GMT`)).toBeUndefined()
      expect(read(`${weekday} Aug 22 12:02:00 2026`)).toBeUndefined()
    }
    for (const weekday of ['Sunrsday', 'Tueday', 'Satday', 'Saturdays', 'day', 'Foo', '']) {
      expect(read(`${weekday}, 22-Aug-26 12:02:00 GMT`)).toBeUndefined()
    }
  })

  it('has the weekday checked in each of the three forms, if strict', () => {
    const midnight = Date.UTC(2027, 0, 1)
    for (let index = 0; index < 7; index++) {
      const ms = midnight + index * 86_400_000
      for (const format of [imfFixdate, rfc850Date, asctimeDate]) {
        const right = format(ms)
        const { weekday } = fieldsOf(ms)
        for (const other of weekdays) {
          const text = right.replace(weekday, other).replace(weekday.slice(0, 3), other.slice(0, 3))
          expect(strictly(text)).toBe(other === weekday ? ms - tableNow : undefined)
          expect(read(text)).toBe(ms - tableNow)
        }
      }
    }
  })
})

describe('whatever is sent', () => {
  it('the answer is undefined or a finite wait from 0, and nothing throws', () => {
    const anyDate = fc.option(fc.oneof(anyValue, validDate), { nil: undefined })
    fc.assert(
      fc.property(anyValue, anyDate, anyInstant, fc.boolean(), (value, date, now, strict) => {
        const wait = parseRetryAfter(value, { now, date, strict })
        if (wait !== undefined) expect(Number.isFinite(wait) && wait >= 0).toBe(true)
      }),
      tries(20_000),
    )
  })

  it('what is strictly right is read the same without being strict', () => {
    let values = 0
    let understood = 0
    fc.assert(
      fc.property(anyValue, (value) => {
        values++
        const wait = strictly(value)
        if (wait === undefined) return
        understood++
        expect(read(value)).toBe(wait)
      }),
      tries(20_000),
    )
    expect(understood / values).toBeGreaterThan(0.1)
  })

  it('no date is strictly right but as a server would write it', () => {
    const fourDigits = fc
      .tuple(anyInstant, fc.constantFrom(imfFixdate, asctimeDate))
      .map(([ms, format]) => format(ms))
    const almost = fc
      .oneof(fourDigits, mutated(fourDigits))
      .filter((text) => /[a-z]/.test(text) && !text.includes('-'))
    let dates = 0
    let understood = 0
    fc.assert(
      fc.property(almost, (text) => {
        dates++
        const ms = strictInstantOf(text)
        if (ms === undefined) return
        understood++
        const isLeap = text.includes(':60')
        const instant = isLeap ? ms - 1000 : ms
        const texts = [imfFixdate(instant), asctimeDate(instant), asctimeDate(instant, '0')]
        expect(texts.map((written) => (isLeap ? written.replace(/:59(?= )/, ':60') : written))).toContain(
          text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, ''),
        )
      }),
      tries(20_000),
    )
    expect(understood / dates).toBeGreaterThan(0.1)
  })
})
