/** Throws a `TypeError` unless `value`, the argument or option called `name`, is a function. */
export function checkFunction(name: string, value: unknown): void {
  checkType('function', name, value)
}

/** Throws a `TypeError` unless `value`, the option called `name`, is an array. */
export function checkArray(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`Expected an array ${name}, got ${String(value)}`)
}

/** Throws a `RangeError` unless `value`, the option called `name`, is one of `choices`. */
export function checkOneOf(choices: readonly string[], name: string, value: string): void {
  if (!choices.includes(value))
    throw new RangeError(`Expected ${name} to be ${choices.join(' or ')}, got ${value}`)
}

/** Throws a `RangeError` unless `value`, the argument or option called `name`, is a number from `least` to Infinity. */
export function checkFrom(least: number, name: string, value: number): void {
  checkRange(value >= least, `>= ${least}`, name, value)
}

/** As `checkFrom`, but `least` itself is out of range too. */
export function checkAbove(least: number, name: string, value: number): void {
  checkRange(value > least, `> ${least}`, name, value)
}

/** As `checkFrom`, but from -Infinity to `most`. */
export function checkUpTo(most: number, name: string, value: number): void {
  checkRange(value <= most, `<= ${most}`, name, value)
}

function checkRange(isInRange: boolean, range: string, name: string, value: number): void {
  if (!isInRange || typeof value !== 'number')
    throw new RangeError(`Expected ${name} ${range}, got ${String(value)}`)
}

/** Throws a `TypeError` unless `value`, the argument called `name`, is a number: for costs, counts and instants, which are given at each call. */
export function checkNumber(name: string, value: number): void {
  checkType('number', name, value)
}

/** Throws a `TypeError` unless `value` is a number, and a `RangeError` unless it is from `least` to Infinity. */
export function checkNumberFrom(least: number, name: string, value: number): void {
  checkType('number', name, value)
  if (!(value >= least)) throw new RangeError(`Expected ${name} >= ${least}, got ${value}`)
}

/** Throws a `TypeError` unless `value`, the argument or option called `name`, is of `type`. */
export function checkType(type: 'function' | 'number', name: string, value: unknown): void {
  // What has no text throws a TypeError too.
  if (typeof value !== type) throw new TypeError(`Expected a ${type} ${name}, got ${value as string}`)
}
