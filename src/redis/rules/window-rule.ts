import { checkAbove, checkFrom } from '../../core/shared/check.ts'
import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import type { RedisRule, RedisScript } from './script.ts'

/** What the three rules of windows have in common: options and their checks. */
export function windowRule(name: string, script: RedisScript, { limit, windowMs }: WindowOptions): RedisRule {
  checkFrom(0, 'limit', limit)
  checkAbove(0, 'windowMs', windowMs)
  return {
    name,
    script,
    numbers: [limit, windowMs, 0],
    // The counter looks at two windows.
    keepMs: 2 * windowMs,
    isUnlimited: limit === Infinity,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
  }
}
