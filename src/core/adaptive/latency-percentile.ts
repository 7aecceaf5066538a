/** A percentile of the recent latencies. O(1) in time and memory. */
export interface LatencyPercentile {
  add: (ms: number) => void
  /** In ms, at most 9 % too high; undefined for fewer than 20 latencies. */
  readonly value: number | undefined
}

/** Eight classes per doubling, from 1 ms, below which latencies are equal, to over four hours. */
const CLASSES_PER_OCTAVE = 8
const CLASSES = 24 * CLASSES_PER_OCTAVE

/** A percentile needs this many latencies. */
const LEAST_COUNT = 20

/** The number of later latencies after which one weighs half as much. */
const HALF_LIFE = 500

/** Each new weight is larger, in place of shrinking all others. All are scaled down before they lose precision. */
const GROWTH = 2 ** (1 / HALF_LIFE)
const LARGEST = 2 ** 500

/** @param part the percentile, above 0, at most 1: 0.5 is the median. */
export function createLatencyPercentile(part: number): LatencyPercentile {
  const weights = new Float64Array(CLASSES)
  let count = 0
  let weight = 1

  return {
    add(ms) {
      const index = Math.ceil(Math.log2(Math.max(ms, 1)) * CLASSES_PER_OCTAVE)
      weights[Math.min(index, CLASSES - 1)]! += weight
      count++
      weight *= GROWTH
      if (weight < LARGEST) return
      for (let index = 0; index < CLASSES; index++) weights[index]! /= LARGEST
      weight /= LARGEST
    },
    get value() {
      if (count < LEAST_COUNT) return undefined
      const total = weights.reduce((sum, weight) => sum + weight)
      let sum = 0
      let index = -1
      while (index < CLASSES - 1 && sum < part * total) sum += weights[++index]!
      return 2 ** (index / CLASSES_PER_OCTAVE)
    },
  }
}
