// Advice for development. Call it behind `typeof process !== 'undefined' && process.env.NODE_ENV !== 'production'`, written out:
// bundlers drop that, and this file with it, from what they build for production.

const warnings = new Set<string>()

/** Warns of `message`, once. */
function warn(message: string): void {
  if (!warnings.has(message)) console.warn(`lull: ${message}`)
  warnings.add(message)
}

/** What `debounce` takes, and what hooks and other functions take besides and hand on. */
const timingOptions = new Set(
  'leading trailing wait maxWait signal onError clock holdWhile flushOn equals commit onUnmount overlap key maxKeys'.split(
    ' ',
  ),
)

/** Throws a `TypeError` for a `wait` that is a string, and warns of options that do nothing. */
export function adviseOnTiming(caller: string, wait: unknown, options: object): void {
  if (typeof wait === 'string')
    throw new TypeError(`${caller}: wait must be a number of ms, not a string, got ${wait}`)
  for (const name of Object.keys(options))
    if (!timingOptions.has(name)) warn(`debounce and throttle have no option '${name}'`)
  const { leading = false, trailing = true }: { leading?: boolean; trailing?: boolean } = options
  if (!leading && !trailing) warn('with leading and trailing both false, debounce and throttle never run')
}

/** Throws a `TypeError` for a `rule` that is none. */
export function adviseOnRule(rule: unknown): void {
  if (typeof (rule as { start?: unknown } | undefined)?.start !== 'function')
    throw new TypeError('Expected a rule, such as tokenBucket({ ratePerSecond: 5, burst: 10 })')
}
