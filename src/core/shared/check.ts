/** Throws a `TypeError` unless `value`, the argument or option called `name`, is a function. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Expected a function ${name}, got ${String(value)}`)
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
