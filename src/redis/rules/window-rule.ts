import { check, checkEach } from '../../core/shared/check.ts'
import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import type { RedisRule, RedisScript } from './script.ts'

/** Builds a window rule from its options, and checks them. */
export function windowRule(name: string, script: RedisScript, { limit, windowMs }: WindowOptions): RedisRule {
  checkEach({ limit })
  check(windowMs > 0, 'windowMs > 0', windowMs)
  return {
    name,
    script,
    numbers: [limit, windowMs, 0],
    // The counter uses two windows.
    keepMs: 2 * windowMs,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
  }
}
