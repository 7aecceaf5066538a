/** A percentile of the recent latencies. O(1) in time and memory. */
export interface LatencyPercentile {
  add: (ms: number) => void
  /** In ms, up to 9 % too high; undefined until enough are known. */
  readonly value: number | undefined
}

/** Eight classes to a doubling: from 1 ms, below which latencies count as equal, to over four hours. */
const CLASSES_PER_OCTAVE = 8
const CLASSES = 24 * CLASSES_PER_OCTAVE

/** With fewer nothing is known. */
const LEAST_COUNT = 20

/** So many later a latency weighs half as much. */
const HALF_LIFE = 500

/** Weights grow instead of all others shrinking; before they lose precision all are scaled down. */
const GROWTH = 2 ** (1 / HALF_LIFE)
const LARGEST = 2 ** 500

/** @param part which percentile, as a part: above 0, up to 1. */
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
