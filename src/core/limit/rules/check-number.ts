/** Throws a `RangeError` unless `value`, the argument or option called `name`, is a number from `least` to Infinity. */
export function checkFrom(least: number, name: string, value: number): void {
  if (typeof value !== 'number' || !(value >= least))
    throw new RangeError(`Expected ${name} >= ${least}, got ${String(value)}`)
}

/** Throws a `RangeError` unless `value`, the argument or option called `name`, is a number above `least`, or Infinity. */
export function checkAbove(least: number, name: string, value: number): void {
  if (typeof value !== 'number' || !(value > least))
    throw new RangeError(`Expected ${name} > ${least}, got ${String(value)}`)
}

/** Throws a `RangeError` if `value`, the argument or option called `name`, is above `most`. */
export function checkUpTo(most: number, name: string, value: number): void {
  if (value > most) throw new RangeError(`Expected ${name} <= ${most}, got ${value}`)
}
