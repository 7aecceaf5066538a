/** `count` instants from 0, about one every `everyMs`. Deterministic, but uneven like real input. */
export const stormOf = (count: number, everyMs: number): number[] =>
  Array.from({ length: count }, (_, index) => (index + wobble(index)) * everyMs)

/** From 0 to 0.9. */
const wobble = (index: number): number => ((index * 0.618034) % 1) * 0.9
