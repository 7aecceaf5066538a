/** From 0 to below 1. */
export type Random = () => number

export { createRandom } from '../../bench/random.js'

/** A seed from a text (FNV-1a). */
export function hash(text: string, seed = 0): number {
  let value = (0x811c9dc5 ^ seed) | 0
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value
}

/** Ms between two events of a Poisson process. */
export function poissonGap(random: Random, ratePerSecond: number): number {
  return (-Math.log(1 - random()) / ratePerSecond) * 1000
}
