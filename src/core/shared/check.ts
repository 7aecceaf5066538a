import { adviseOnType, adviseOnValue } from './develop.ts'

/** Throws a `RangeError` unless `value`, the option called `name`, is a number above 0 and at most 1. */
export function checkPart(name: string, value: number): void {
  check(value > 0, `${name} > 0`, value)
  check(value <= 1, `${name} <= 1`, value)
}

/**
 * Throws a `RangeError` unless `isRight` and `value` is a number; a `NoNumber` for a value of another type.
 *
 * @param expected the condition, for the message: `'cost >= 0'`.
 */
export function check(
  isRight: boolean,
  expected: string,
  value: unknown,
  NoNumber: ErrorConstructor = RangeError,
): void {
  const isNumber = typeof value === 'number'
  if (isRight && isNumber) return
  adviseOnType('number', expected, value, NoNumber)
  // Errors need no `new`.
  throw (isNumber ? RangeError : NoNumber)(`Expected ${expected}, got ${value as string}`)
}

/** Throws a `RangeError` unless each of `options` is a number of at least 0. */
export function checkEach(options: Record<string, number>): void {
  for (const [name, value] of Object.entries(options)) check(value >= 0, `${name} >= 0`, value)
}

/** Throws a `TypeError` unless `value` is a number, and a `RangeError` unless it is finite. */
export function checkFinite(name: string, value: number): void {
  check(value - value === 0, `finite ${name}`, value, TypeError)
}

/** Throws a `TypeError` unless `value` is a number, and a `RangeError` unless it is at least `least`. */
export function checkNumberFrom(least: number, name: string, value: number): void {
  checkType('number', name, value)
  if (!(value >= least)) throw new RangeError(`Expected ${name} >= ${least}, got ${value}`)
}

/** Throws a `TypeError` unless `value`, the argument or option called `name`, is of `type`. */
export function checkType(type: 'function' | 'number' | 'string', name: string, value: unknown): void {
  adviseOnValue(type, name, value)
  // The conversion to a string may throw: that is a TypeError, too.
  if (typeof value !== type) throw new TypeError(`Expected a ${type} ${name}, got ${value as string}`)
}
