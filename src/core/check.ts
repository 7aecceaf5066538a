/** Throws a `TypeError` unless `value`, the argument or option called `name`, is a function. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Expected a function ${name}, got ${String(value)}`)
}

/** Throws a `RangeError` unless `value`, the argument or option called `name`, is a number from 0 on; Infinity is. */
export function checkFromZero(name: string, value: number): void {
  if (Math.abs(value) !== value) throw new RangeError(`Expected ${name} >= 0, got ${String(value)}`)
}
