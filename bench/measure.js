// One process, rounds interleaved, medians of the ratios round by round: what the machine does meanwhile hits all alike.

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

/**
 * Runs each of `candidates` (name → function that answers ns per operation) in turn, `rounds` times, and prints the
 * medians, as multiples of the first.
 */
export function compare(title, candidates, { rounds = 31, warmUp = 5 } = {}) {
  const names = Object.keys(candidates)
  const times = new Map(names.map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const ns = candidates[name]()
      if (round >= 0) times.get(name).push(ns)
    }
  }
  console.log(`\n${title}: medians of ${rounds} rounds`)
  const floor = times.get(names[0])
  const width = Math.max(...names.map((name) => name.length))
  for (const [name, own] of times) {
    const ratios = own.map((ns, round) => ns / floor[round]).sort((a, b) => a - b)
    const spread = `${ratios[rounds >> 2].toFixed(2)}–${ratios[(3 * rounds) >> 2].toFixed(2)}`
    console.log(
      `${name.padEnd(width)} ${median(own).toFixed(1).padStart(8)} ns  ${median(ratios).toFixed(2)} × (${spread})`,
    )
  }
}

/** Ns per call of `run`, called `count` times at once. */
export function timed(count, run) {
  const start = process.hrtime.bigint()
  run(count)
  return Number(process.hrtime.bigint() - start) / count
}
