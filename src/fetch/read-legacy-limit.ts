import { parseHttpDate } from './http-date.ts'
import { parseList } from './parse-list.ts'
import { parseSeconds, waitUntil } from './parse-retry-after.ts'
import { parseTimestamp } from './parse-timestamp.ts'
import type { Fields, RateLimitState } from './read-limits.ts'

export interface LegacyLimit {
  readonly source: 'ratelimit-legacy' | 'x-ratelimit'
  readonly limit: RateLimitState
}

/**
 * R35: what servers send in place of the `RateLimit` of today. The first counts that says when the limit is reset.
 * `now` is in ms since 1970.
 */
export function readLegacyLimit(fields: Fields, now: number): LegacyLimit | undefined {
  // The Dictionary of draft 07: its members are written as an item's parameters are, but for the commas.
  const dictionary = fields.get('ratelimit')?.replaceAll(',', ';')
  const members = dictionary ? parseList(`x;${dictionary}`)?.[0]?.params : undefined
  for (const prefix of ['', 'ratelimit-', 'x-ratelimit-', 'x-rate-limit-'])
    for (const name of ['reset', 'reset-after']) {
      const get = (key: string): string =>
        String((prefix ? fields.get(prefix + key) : members?.get(key)?.value) ?? '')
      const windowMs = parseReset(get(name), now, fields.get('date'))
      const remaining = parseSeconds(get('remaining')) / 1000
      if (windowMs !== undefined)
        return {
          source: prefix.startsWith('x') ? 'x-ratelimit' : 'ratelimit-legacy',
          limit: {
            name: 'default',
            available: remaining < Infinity ? remaining : undefined,
            windowMs,
            unit: 'requests',
          },
        }
    }
  return undefined
}

/** Ms until a reset, given as a number of seconds, as an instant in seconds or ms since 1970, or as a date. */
function parseReset(text: string, now: number, date: string | undefined): number | undefined {
  if (!text) return undefined
  const ms = parseSeconds(text)
  if (ms < 1e12) return ms
  if (ms < 1e17) return waitUntil(ms < 1e14 ? ms : Math.ceil(ms / 1000), now, date)
  return waitUntil(parseHttpDate(text, { now, strict: false }) ?? parseTimestamp(text), now, date)
}
