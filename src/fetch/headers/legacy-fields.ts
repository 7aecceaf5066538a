import { parseHttpDate } from './http-date.ts'
import { NOTHING_READ, readRateLimitFields, type RateLimitReading } from './rate-limit-fields.ts'
import { msUntil, parseSeconds } from './retry-after.ts'
import { MAX_FIELD, parseList } from './structured-list.ts'

/**
 * Reads `RateLimit` and `RateLimit-Policy` and, if `RateLimit` names no time, the older headers, which the docstring of `strict`
 * in `ReadRateLimitOptions` lists. Uses the first of these that names a time.
 *
 * @param replaces whether the older headers' limit replaces the limits of `RateLimit`. Otherwise it is added, as
 * a limit of concurrent requests, which names no time, holds beside it.
 */
export function readAllFields(headers: Headers, now: number, replaces?: boolean): RateLimitReading {
  // Mocked headers may have only `get`.
  if (!(headers as Partial<Headers>).forEach) return readRateLimitFields(headers)
  const fields = new Map<string, string>()
  // One pass, because each `get` takes a third as long as that.
  headers.forEach((value, name) => {
    if (/rate-?limit/.test(name) && value.length <= MAX_FIELD) fields.set(name, value)
  })
  if (!fields.size) return NOTHING_READ
  const current = readRateLimitFields(headers)
  const { limits, policies } = current
  if (limits.some(({ windowMs }) => windowMs! >= 0)) return current
  // With commas replaced by semicolons, the members of a Dictionary become the parameters of an item.
  const item = `x;${fields.get('ratelimit') ?? ''}`.replaceAll(',', ';')
  parseList(item)[0]?.params.forEach((value, key) => fields.set(key, value.replaceAll('"', '')))
  for (const prefix of ['', 'ratelimit-', 'x-ratelimit-', 'x-rate-limit-'])
    for (const name of ['retry-after', 'retry-after-seconds', 'reset', 'reset-after']) {
      const get = (key: string): string => fields.get(prefix + key) ?? ''
      const ms = parseReset(get(name), now, headers.get('date'))
      if (!(ms >= 0)) continue
      // `Date` has whole seconds, so an instant is up to 1 s less exact than `Reset-After`.
      const afterMs = parseSeconds(get('reset-after'))
      const windowMs = Math.abs(ms - afterMs) < 1000 ? afterMs : ms
      const available = parseCount(get('remaining'))
      // Some servers append their policies to the limit.
      const quota = parseCount(get('limit').split(',')[0]!)
      const common = { name: 'default', unit: 'requests' }
      return {
        source: prefix[0] === 'x' ? 'x-ratelimit' : 'ratelimit-legacy',
        limits: [...(replaces ? [] : limits), { ...common, available, windowMs }],
        policies: policies[0] || quota === undefined ? policies : [{ ...common, quota, windowMs: undefined }],
        waitMs: available ? undefined : windowMs,
      }
    }
  return current
}

function parseCount(text: string): number | undefined {
  const ms = parseSeconds(text)
  return ms < Infinity ? ms / 1000 : undefined
}

/** Returns the ms until a reset, given as seconds, as seconds or ms since 1970, as an HTTP date or as an RFC 3339 date; else NaN. */
function parseReset(text: string, now: number, date: string | null): number {
  const ms = parseSeconds(text)
  if (ms < 1e12) return ms
  const instant =
    ms < 1e14 ? ms : ms < 1e17 ? Math.ceil(ms / 1000) : (parseHttpDate(text, now) ?? parseTimestamp(text))
  return msUntil(instant, now, date)!
}

/** Accepts only the form whose parsing ECMAScript defines. */
function parseTimestamp(text: string): number {
  const form = /^(\d{4}-\d\d-(\d\d))[t ]([01]\d|2[0-3])(:\d\d){2}(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
  const [, date, day] = form.exec(text) ?? []
  // Engines parse a day that the month does not have differently.
  return new Date(date!).getUTCDate() === Number(day) ? Date.parse(text.toUpperCase().replace(' ', 'T')) : NaN
}
