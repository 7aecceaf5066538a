import { parseHttpDate } from './http-date.ts'
import { NOTHING_READ, readRateLimitFields, type RateLimitReading } from './rate-limit-fields.ts'
import { msUntil, parseSeconds } from './retry-after.ts'
import { MAX_FIELD, parseList } from './structured-list.ts'

/**
 * Reads the older fields, if `RateLimit` names no time: the Dictionary of draft 07, and `RateLimit-Reset`, `X-RateLimit-Reset`
 * and `X-Rate-Limit-Reset` with their `-Remaining` and `-Limit`. Uses the first that names a time.
 */
export function readLegacyFields(headers: Headers, now: number): RateLimitReading {
  const fields = new Map<string, string>()
  // One pass, because each `get` takes a third as long as that. Mocked headers may have only `get`.
  ;(headers as Partial<Headers>).forEach?.((value, name) => {
    if (/^(x-)?rate-?limit/.test(name) && value.length <= MAX_FIELD) fields.set(name, value)
  })
  // With commas replaced by semicolons, the members become the parameters of an item.
  const dictionary = fields.get('ratelimit')
  if (dictionary?.includes('reset='))
    parseList(`x;${dictionary.replaceAll(',', ';')}`)[0]?.params.forEach((value, key) =>
      fields.set(key, value.replaceAll('"', '')),
    )
  if (fields.size > 0)
    for (const prefix of ['', 'ratelimit-', 'x-ratelimit-', 'x-rate-limit-'])
      for (const name of ['retry-after', 'reset', 'reset-after']) {
        const get = (key: string): string => fields.get(prefix + key) ?? ''
        const windowMs = parseReset(get(name), now, headers.get('date'))
        if (windowMs === undefined) continue
        const { limits, policies } = readRateLimitFields(headers)
        if (limits.some((limit) => limit.windowMs !== undefined)) return NOTHING_READ
        const available = parseCount(get('remaining'))
        // Some servers append their policies to the limit.
        const quota = prefix ? parseCount(get('limit').split(',')[0]!) : undefined
        const common = { name: 'default', unit: 'requests' }
        return {
          source: prefix.startsWith('x') ? 'x-ratelimit' : 'ratelimit-legacy',
          limits: [{ ...common, available, windowMs }],
          policies:
            policies[0] || quota === undefined ? policies : [{ ...common, quota, windowMs: undefined }],
          waitMs: available ? undefined : windowMs,
        }
      }
  return NOTHING_READ
}

function parseCount(text: string): number | undefined {
  const count = parseSeconds(text) / 1000
  return count < Infinity ? count : undefined
}

/** Returns the ms until a reset, given as seconds, as seconds or ms since 1970, as an HTTP date or as an RFC 3339 date. */
function parseReset(text: string, now: number, date: string | null): number | undefined {
  const ms = parseSeconds(text)
  if (ms < 1e12) return ms
  const instant =
    ms < 1e14 ? ms : ms < 1e17 ? Math.ceil(ms / 1000) : (parseHttpDate(text, now) ?? parseTimestamp(text))
  return msUntil(instant, now, date)
}

/** Accepts only the form whose parsing ECMAScript defines. */
function parseTimestamp(text: string): number | undefined {
  const form = /^(\d{4}-\d\d-(\d\d))[t ]([01]\d|2[0-3])(:\d\d){2}(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
  const [, date, day] = form.exec(text) ?? []
  // Engines parse a day that the month does not have differently.
  if (!date || new Date(date).getUTCDate() !== Number(day)) return undefined
  return Date.parse(text.toUpperCase().replace(' ', 'T')) || undefined
}
