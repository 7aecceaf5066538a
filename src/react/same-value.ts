/** How two values are told apart. */
export type Equals<Value> = (a: Value, b: Value) => boolean

const isLiteral = (value: unknown): value is object =>
  Array.isArray(value) || (!!value && Object.getPrototypeOf(value) === Object.prototype)

/**
 * Whether two values are the same one, or two arrays or plain objects with the same members: a literal that is made anew in each
 * render is the same value as before.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isLiteral(a) || !isLiteral(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const entries = Object.entries(a)
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([key, member]) => Object.hasOwn(b, key) && Object.is(member, b[key as keyof typeof b]))
  )
}
