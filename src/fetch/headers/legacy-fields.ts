import { MONTHS, parseHttpDate } from './http-date.ts'
import { MAX_FIELD, NOTHING_READ, readRateLimitFields, type RateLimitReading } from './rate-limit-fields.ts'
import { msUntil, parseSeconds } from './retry-after.ts'
import { parseList } from './structured-list.ts'

/**
 * What servers send in place of the `RateLimit` of today, if that names no time: the Dictionary of draft 07, and
 * `RateLimit-Reset`, `X-RateLimit-Reset` and `X-Rate-Limit-Reset` with their kin. The first that names a time counts.
 */
export function readLegacyFields(headers: Headers, now: number): RateLimitReading {
  let fields: Map<string, string> | undefined
  // One pass: each look-up takes a third as long.
  headers.forEach((value, name) => {
    if (/^(x-)?rate-?limit/.test(name) && value.length <= MAX_FIELD) (fields ??= new Map()).set(name, value)
  })
  return fields ? readFields(fields, headers, now) : NOTHING_READ
}

function readFields(fields: Map<string, string>, headers: Headers, now: number): RateLimitReading {
  const dictionary = fields.get('ratelimit')
  // Its members are written as an item's parameters are, but for the commas.
  if (dictionary?.includes('reset='))
    parseList(`x;${dictionary.replaceAll(',', ';')}`)?.[0]?.params.forEach(({ value }, key) =>
      fields.set(key, String(value)),
    )
  for (const prefix of ['', 'ratelimit-', 'x-ratelimit-', 'x-rate-limit-'])
    for (const name of ['retry-after', 'reset', 'reset-after']) {
      const get = (key: string): string => fields.get(prefix + key) ?? ''
      const windowMs = parseReset(get(name), now, headers.get('date'))
      if (windowMs === undefined) continue
      const { limits, policies } = readRateLimitFields(headers)
      if (limits.some((limit) => limit.windowMs !== undefined)) return NOTHING_READ
      const available = parseNumber(get('remaining'))
      // Some servers list their policies after it.
      const quota = prefix ? parseNumber(get('limit').split(',')[0]!) : undefined
      const common = { name: 'default', unit: 'requests' }
      return {
        source: prefix.startsWith('x') ? 'x-ratelimit' : 'ratelimit-legacy',
        limits: [{ ...common, available, windowMs }],
        policies: policies[0] || quota === undefined ? policies : [{ ...common, quota, windowMs: undefined }],
        waitMs: available ? undefined : windowMs,
      }
    }
  return NOTHING_READ
}

function parseNumber(text: string): number | undefined {
  const number = parseSeconds(text) / 1000
  return number < Infinity ? number : undefined
}

/** Ms until a reset: a number of seconds, an instant in seconds or ms since 1970, a date or a timestamp. */
function parseReset(text: string, now: number, date: string | null): number | undefined {
  const ms = parseSeconds(text)
  if (ms < 1e12) return ms
  return msUntil(
    ms < 1e17 ? (ms < 1e14 ? ms : Math.ceil(ms / 1000)) : (parseHttpDate(text, now) ?? parseTimestamp(text)),
    now,
    date,
  )
}

/** Ms since 1970 of an RFC 3339 timestamp; undefined if it is none, or there is no such time. */
function parseTimestamp(text: string): number | undefined {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d:\d\d:\d\d)(\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i.exec(text)
  if (!match) return undefined
  const [, year, month, day, time, fraction, sign, hours, minutes] = match
  const name = MONTHS.slice(Number(month) * 3 - 3, Number(month) * 3)
  const ms = parseHttpDate(`Sun, ${day!} ${name} ${year!} ${time!} GMT`, 0)
  const eastMs = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
  return ms === undefined ? undefined : ms + Math.ceil(Number(fraction ?? 0) * 1000) - eastMs
}
