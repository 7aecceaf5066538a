/** Throws unless `isGood`: a `RangeError`, or the error named, that says what was expected and what came. */
export function check(isGood: boolean, expected: string, value: unknown, Kind: new (message: string) => Error = RangeError): void {
  if (!isGood) throw new Kind(`Expected ${expected}, got ${value}`)
}
