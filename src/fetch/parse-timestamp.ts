import { MONTHS, parseHttpDate } from './http-date.ts'

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d:\d\d:\d\d)(\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i

/** The instant that an RFC 3339 timestamp names, in ms since 1970; undefined if it is none, or there is no such time. */
export function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP.exec(text)
  if (!match) return undefined
  const [, year, month, day, time, fraction, sign, hours = 0, minutes = 0] = match
  // What a date may be is decided in one place.
  const date = `Sun, ${day!} ${MONTHS.split('|')[Number(month) - 1]!} ${year!} ${time!} GMT`
  const ms = parseHttpDate(date, { now: 0, strict: false })
  const eastMs = Number(`${sign ?? ''}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  return ms === undefined ? undefined : ms + Math.ceil(Number(fraction ?? 0) * 1000) - eastMs
}
